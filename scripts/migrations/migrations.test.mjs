import { expect, test } from "vitest";
import { migrationProblems } from "./migration-problems.mjs";
import { migrationFrom, migrationsOf } from "./migrations.mjs";

test("the foundation comes first; rename an older migration of a branch, or move its statements into the foundation", () => {
  expect(migrationsOf()[0].name).toBe("20261122000000_foundation");
});

test.each(migrationsOf())("$name can be applied", (migration) => {
  expect(migrationProblems(migration)).toEqual([]);
});

test.each([
  ["BEGIN; CREATE TABLE a (id int)", [/line 1: .* transactions/]],
  ["CREATE TABLE a (id int);\nCREATE INDEX CONCURRENTLY a_idx ON a (id)", [/line 2: .* no-transaction/]],
  [
    "-- no-transaction\nCREATE INDEX CONCURRENTLY a_idx ON a (id);\n\nCREATE TABLE b (id int);\nALTER TABLE a ADD COLUMN x int",
    [/line 2: .* second time/, /line 4: /, /line 5: /],
  ],
  ["-- no-transaction\nBEGIN", [/line 2: .* transactions/]],
  ["-- no-transaction\nCREATE INDEX IF NOT EXISTS a_idx ON a (id)", [/line 2: .* second time/]],
])("refuses %j", (sql, expected) => {
  expect(migrationProblems(migrationFrom("1_a", sql))).toEqual(
    expected.map((problem) => expect.stringMatching(problem)),
  );
});

test.each([
  "CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END $$; -- not CONCURRENTLY",
  "-- no-transaction\nCREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS a_new ON a (id);\nDROP INDEX CONCURRENTLY IF EXISTS a_idx;\nALTER INDEX IF EXISTS a_new RENAME TO a_idx;\nUPDATE a SET x = 1 WHERE x IS NULL;\nALTER TABLE a VALIDATE CONSTRAINT c",
])("accepts %j", (sql) => {
  expect(migrationProblems(migrationFrom("1_a", sql))).toEqual([]);
});

test("only the first line marks a migration as running without a transaction", () => {
  expect(migrationFrom("1_a", "-- no-transaction\nSELECT 1").transaction).toBe(false);
  expect(migrationFrom("1_a", "-- About -- no-transaction\n-- no-transaction\nSELECT 1").transaction).toBe(true);
});
