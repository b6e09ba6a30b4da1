import { expect, it, vi } from "vitest";
import { sql } from "./db";
import { createLog, errorFacts } from "./log";

it("logs an error without values of rows or other properties", async () => {
  const secret = "5ec2e75e-c2e7-75ec-a2e7-5ec2e75ec2e7";
  const error = await sql(`INSERT INTO memberships (org_id, id, user_id, role) VALUES ($1, uuidv7(), $1, 'owner')`, [
    secret,
  ]).catch((e: unknown) => e);
  expect((error as { detail: string }).detail).toContain(secret);
  expect(errorFacts(error)).toEqual({
    name: "error",
    code: "23503",
    message: expect.stringContaining("memberships"),
    stack: expect.any(String),
  });
  expect(JSON.stringify(errorFacts(error))).not.toContain(secret);
  expect(errorFacts("thrown")).toBe("thrown");
});

it("logs a fault once a second with the number of those left out, and other faults at once", () => {
  const clock = vi.spyOn(performance, "now").mockReturnValue(5_000);
  const lines: { msg: string; repeated?: number; err?: { message: string } }[] = [];
  const log = createLog({ write: (line: string) => void lines.push(JSON.parse(line)) });
  log.level = "info";
  const fail = (message: string) => log.error({ err: new Error(message) }, "request failed");
  for (let n = 0; n < 1000; n++) fail("the database is gone");
  fail("something else");
  clock.mockReturnValue(6_001);
  for (let n = 0; n < 10; n++) fail("the database is gone");
  for (let n = 0; n < 3; n++) log.warn("a warning");
  expect(lines.map(({ msg, repeated, err }) => [err?.message ?? msg, repeated])).toEqual([
    ["the database is gone", undefined],
    ["something else", undefined],
    ["the database is gone", 999],
    ...Array(3).fill(["a warning", undefined]),
  ]);
  clock.mockRestore();
});
