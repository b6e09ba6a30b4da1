import { expect, test } from "vitest";
import { schemaDiff } from "./schema-diff.mjs";

test("the migrations make what prisma/schema.prisma states", async () => {
  expect(await schemaDiff(process.env.DATABASE_URL)).toBe("");
});
