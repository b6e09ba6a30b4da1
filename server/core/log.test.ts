import { expect, it } from "vitest";
import { sql } from "./db";
import { errorFacts } from "./log";

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
