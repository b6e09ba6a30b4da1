import { describe, expect, it } from "vitest";
import { newId, publicId } from "@/server/core/ids";
import { sql } from "@/server/testing/sql";
import { inState, stateAt } from "./state-sql";
import { credentialStates, effectiveState, nextState, type CredentialAction, type CredentialState } from "./states";

const actions: CredentialAction[] = ["issue", "suspend", "resume", "expire", "revoke"];

// The table of contract section 7. "–" and 409 are refusals.
const contract: Record<CredentialState, (CredentialState | "409")[]> = {
  pending: ["active", "409", "409", "expired", "revoked"],
  active: ["409", "suspended", "409", "expired", "revoked"],
  suspended: ["409", "suspended", "active", "expired", "revoked"],
  expired: ["409", "409", "409", "409", "revoked"],
  revoked: ["409", "409", "409", "409", "revoked"],
};

const credential = newId("crd");

describe("the state table", () => {
  it.each(
    credentialStates.flatMap((state) => actions.map((action, i) => [state, action, contract[state][i]!] as const)),
  )("%s, %s: %s", (state, action, expected) => {
    const attempt = () => nextState({ id: credential, state }, action);
    if (expected !== "409") return expect(attempt()).toBe(expected);
    expect(attempt).toThrow(
      expect.objectContaining({
        code: "credential_state",
        status: 409,
        extras: { members: { credentialId: publicId("crd", credential), state, action } },
      }),
    );
    expect(attempt).toThrow(new RegExp(`${state}.*${action}`));
  });
});

describe("the state at an instant", () => {
  const now = new Date("2026-06-01T12:00:00.000Z");
  const times = [-1000, -1, 0, 1, 1000].map((ms) => new Date(now.getTime() + ms));
  const grid = credentialStates.flatMap((state) =>
    times.flatMap((valid_from) => [null, ...times].map((expires_at) => ({ state, valid_from, expires_at }))),
  );

  it("is read to the millisecond", () => {
    const at = (state: CredentialState, from: string, until: string | null) =>
      effectiveState({ state, valid_from: new Date(from), expires_at: until === null ? null : new Date(until) }, now);
    expect(at("pending", "2026-06-01T12:00:00.001Z", null)).toBe("pending");
    expect(at("pending", "2026-06-01T12:00:00.000Z", null)).toBe("active");
    expect(at("active", "2026-01-01T00:00:00Z", "2026-06-01T12:00:00.001Z")).toBe("active");
    expect(at("active", "2026-01-01T00:00:00Z", "2026-06-01T12:00:00.000Z")).toBe("expired");
    expect(at("suspended", "2026-01-01T00:00:00Z", "2026-06-01T12:00:00.000Z")).toBe("expired");
    expect(at("revoked", "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z")).toBe("revoked");
  });

  it("is the same in SQL, as an expression and as a filter of which exactly one predicate holds", async () => {
    const filters = credentialStates
      .flatMap((state) =>
        Object.values(inState(state, () => "$1")).map((way) => `CASE WHEN ${way} THEN '${state}' END`),
      )
      .join(", ");
    const [column] = await sql<{ generated: string }>(
      `SELECT generation_expression AS generated FROM information_schema.columns WHERE table_name = 'credentials' AND column_name = 'due_at'`,
    );
    const dueAt = column!.generated;
    const rows = await sql<{ n: number; at: string; filtered: string }>(
      `SELECT n, ${stateAt("$1")} AS at, concat_ws(',', ${filters}) AS filtered
       FROM (SELECT *, ${dueAt} AS due_at FROM jsonb_to_recordset($2::jsonb) AS c (n int, state text, valid_from timestamptz, expires_at timestamptz)) AS c
       ORDER BY n`,
      [now, JSON.stringify(grid.map((row, n) => ({ n, ...row })))],
    );
    const expected = grid.map((row) => effectiveState(row, now));
    expect(rows.map((row) => row.at)).toEqual(expected);
    expect(rows.map((row) => row.filtered)).toEqual(expected);
  });
});
