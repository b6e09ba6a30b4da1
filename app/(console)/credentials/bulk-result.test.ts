import { describe, expect, it } from "vitest";
import { newId } from "@/server/core/ids";
import { credentialStates, nextState, type CredentialState } from "@/server/credentials/states";
import { refusedCsv, summaryOf, summaryText } from "./bulk-result";
import { notFound } from "@/server/core/errors";
import { refusalText } from "./refusals";

const refusal = (action: string, state: string) => ({
  code: "credential_state",
  title: "",
  status: 409,
  detail: "The API's words",
  action,
  state,
});

describe("a bulk result", () => {
  const credential = {} as never;
  const result = {
    data: [
      { index: 0, ok: true as const, changed: true, credential },
      { index: 1, ok: true as const, changed: false, credential },
      { index: 2, ok: false as const, error: refusal("resume", "active") },
      { index: 3, ok: false as const, error: refusal("resume", "revoked") },
    ],
    succeeded: 2,
    failed: 2,
  };

  it("counts changed, unchanged and refused credentials separately", () => {
    const summary = summaryOf(result, ["Ada", "Ben", "Cleo", "Dora"]);
    expect(summary).toMatchObject({
      done: ["Ada"],
      already: ["Ben", "Cleo"],
      refused: [{ row: "Dora", code: "credential_state", why: expect.stringContaining("revoked, which is for good") }],
    });
    expect(summaryText("resume", summary)).toBe("1 resumed, 2 active already, 1 refused");
  });

  it("writes the refused rows to a file with name, code and reason, looking up at most 100 names at once", async () => {
    const rows = Array.from({ length: 150 }, (_, i) => ({ id: `crd_${i}`, subjectId: `sub_${i}` }));
    const refused = rows.map((row) => ({ row, code: "credential_state", why: "It was revoked, which is for good." }));
    const asked: number[] = [];
    const namesOf = async (ids: string[]) => {
      asked.push(ids.length);
      return ids.slice(1).map((id) => ({ id, externalId: id.replace("sub_", "s-"), displayName: "=Ada, the 1st" }));
    };
    const lines: string[] = [];
    for await (const line of refusedCsv(refused, namesOf)) lines.push(line);
    expect([lines[0], lines[1], lines[2], lines.length, asked]).toEqual([
      "\ufeffexternalId,name,error,detail,credentialId\r\n",
      ',,credential_state,"It was revoked, which is for good.",crd_0\r\n',
      's-1,"\'=Ada, the 1st",credential_state,"It was revoked, which is for good.",crd_1\r\n',
      151,
      [100, 50],
    ]);
  });

  it("groups the digits of large numbers and leaves out counts of zero", () => {
    expect(summaryText("revoke", { done: Array(1200), already: [], refused: [] })).toBe("1,200 revoked");
  });
});

describe("a refusal", () => {
  const isAllowed = (state: CredentialState, action: "suspend" | "resume" | "revoke") => {
    try {
      return nextState({ id: newId("crd"), state }, action) !== undefined;
    } catch {
      return false;
    }
  };
  const refused = (["suspend", "resume", "revoke"] as const).flatMap((action) =>
    credentialStates.filter((state) => !isAllowed(state, action)).map((state) => [action, state] as const),
  );

  it.each(refused)("has its own message for: %s a credential that is %s", (action, state) => {
    expect(refusalText(refusal(action, state))).toMatch(/^It (is|has|was) .*\.$/);
  });

  it("shows the error of a row's own fields, and else the API's message", () => {
    expect(
      refusalText({
        code: "invalid_request",
        detail: "d",
        errors: [{ pointer: "/reason", code: "invalid_value", message: "reason must be a text" }],
      }),
    ).toBe("reason must be a text");
    expect(refusalText({ code: "conflict", detail: "Another request was changing the same things." })).toBe(
      "Another request was changing the same things.",
    );
  });

  it("has different messages for a last day that has passed, a missing one, and a missing template", () => {
    const passed = { code: "expiry_out_of_range", detail: "d", expiresAt: "2020-01-02T00:00:00.000Z" };
    expect(refusalText(passed)).toContain("would have ended already");
    const absent = { code: "validity_unresolved", detail: "d", attribute: "until" };
    expect(refusalText(absent)).toContain("“until” in the person's record");
    const missing = (what: string, id: string) =>
      refusalText({ code: "not_found", detail: notFound(what, id).message });
    expect(missing("template", "tpl_1")).toContain("The template tpl_1 is not there.");
    expect(missing("subject", "sub_1")).toBe("The person is not there any more.");
  });
});
