import { beforeAll, describe, expect, it } from "vitest";
import { runBulkChunk } from "@/server/credentials/bulk-run";
import { call } from "@/server/testing/request";
import { world } from "@/server/testing/world";

interface Problem {
  code: string;
  detail: string;
  errors: { pointer: string; code: string; message: string }[];
}

let token: string;

beforeAll(async () => {
  token = await (await world()).key();
});

const nul = "a\u0000b";
const inexact = (key: string) => `{${JSON.stringify(key)}: 9007199254740993}`;
const post = (path: string, raw: string, headers: Record<string, string> = {}) =>
  call("POST", path, { token, raw, headers: { "content-type": "application/json", ...headers } });

describe("a NUL character", () => {
  it.each([
    ["a text", "PUT", "/v1/subjects", { externalId: nul }, "/externalId"],
    ["a text far inside", "PUT", "/v1/subjects", { externalId: "s", attributes: { a: [1, nul] } }, "/attributes/a/1"],
    ["a key", "PUT", "/v1/subjects", { externalId: "s", [nul]: 1 }, ""],
    ["a key far inside", "PUT", "/v1/subjects", { externalId: "s", attributes: { a: { [nul]: 1 } } }, "/attributes/a"],
    ["metadata", "POST", "/v1/templates", { name: "T", kind: "membership", metadata: { [nul]: 1 } }, "/metadata"],
    ["a rule", "POST", "/v1/groups", { name: "G", rule: { field: "email", op: "in", value: [nul] } }, "/rule/value/0"],
  ] as const)("in %s of a body is refused with its place", async (_, method, path, body, pointer) => {
    const answer = await call(method, path, { token, body });
    const { code, errors } = answer.json<Problem>();
    expect([answer.status, code, errors.map((each) => [each.pointer, each.code])]).toEqual([
      400,
      "invalid_request",
      [[pointer, "unstorable_text"]],
    ]);
  });

  it("in a key above another mistake is written as U+FFFD, also if the row waits in a job", async () => {
    const alone = await post("/v1/groups", inexact(nul));
    expect([alone.status, alone.json<Problem>().errors]).toEqual([
      400,
      [expect.objectContaining({ pointer: "/a\uFFFDb", code: "inexact_number" })],
    ]);
    const queued = await post(
      "/v1/credentials/bulk",
      `{"action":"issue","items":[${inexact(nul)},${inexact("\ud800")}]}`,
      {
        prefer: "respond-async",
      },
    );
    expect(queued.status).toBe(202);
    while (await runBulkChunk(new Date()));
    const rows = await call("GET", `${queued.headers.get("location")}/rows`, { token });
    expect(
      rows.json<{ data: { error: Problem }[] }>().data.map(({ error }) => error.errors.map(({ pointer }) => pointer)),
    ).toEqual([["/a\uFFFDb"], ["/\uFFFD"]]);
  });
});

it("a control character in a key stays in the pointer, and is escaped in messages for people", async () => {
  const answer = await call("PUT", "/v1/subjects", { token, body: { externalId: "s", "\u001b[31m": 1 } });
  const [error] = answer.json<Problem>().errors;
  expect([answer.status, error!.pointer]).toEqual([400, "/\u001b[31m"]);
  expect(error!.message).toMatch(/^\\u001b\[31m is not a known field/);
  expect(answer.text).not.toMatch(/\p{Cc}/u);
});
