import { expect, test } from "vitest";
import { schemaDiff } from "./schema-diff.mjs";

test("the migrations produce the structure in prisma/schema.prisma", async () => {
  expect(await schemaDiff(process.env.DATABASE_URL)).toBe("");
});
