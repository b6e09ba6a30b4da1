import { expect, test } from "vitest";
import { migrationsOf } from "./migrations.mjs";
import { statementsOf, withoutComments } from "./sql-statements.mjs";

const texts = (script) => statementsOf(script).map(({ text }) => text);

test.each([
  ["two statements, the last without a semicolon", "SELECT 1; SELECT 2", ["SELECT 1", "SELECT 2"]],
  ["nothing but white space and comments", " ;; -- a;b\n/* c; */", []],
  ["a string", "SELECT ';', 'it''s; x'; SELECT 2", ["SELECT ';', 'it''s; x'", "SELECT 2"]],
  ["a backslash at the end of a plain string", "SELECT '\\'; SELECT 2", ["SELECT '\\'", "SELECT 2"]],
  ["an escape string", "SELECT E'\\';', e'''\\\\'; SELECT 2", ["SELECT E'\\';', e'''\\\\'", "SELECT 2"]],
  ["a name that ends in e before a string", "SELECT type'a\\'; SELECT 2", ["SELECT type'a\\'", "SELECT 2"]],
  ["a quoted name", 'SELECT 1 AS "a;""b"; SELECT 2', ['SELECT 1 AS "a;""b"', "SELECT 2"]],
  ["dollar quotes", "DO $$ BEGIN; END $$; SELECT 2", ["DO $$ BEGIN; END $$", "SELECT 2"]],
  [
    "dollar quotes with a tag around others",
    "DO $a$ x $$;$$ ; $b$ $a$; SELECT 2",
    ["DO $a$ x $$;$$ ; $b$ $a$", "SELECT 2"],
  ],
  ["a name with dollar signs, which quote nothing", "SELECT a$$; SELECT b$$", ["SELECT a$$", "SELECT b$$"]],
  ["parameters, which quote nothing", "SELECT $1; SELECT $2", ["SELECT $1", "SELECT $2"]],
  ["nested block comments", "SELECT /* a /* b; */ ; */ 1; SELECT 2", ["SELECT /* a /* b; */ ; */ 1", "SELECT 2"]],
  ["a line comment with a quote", "SELECT 1 -- it's;\n, 2; SELECT 3", ["SELECT 1 -- it's;\n, 2", "SELECT 3"]],
])("splits %s", (_, script, expected) => {
  expect(texts(script)).toEqual(expected);
});

test("leaves out the comments before a statement, and returns the line on which it begins", () => {
  expect(statementsOf("-- about\n\nSELECT 1;\n-- more\nSELECT\n2;")).toEqual([
    { text: "SELECT 1", line: 3 },
    { text: "SELECT\n2", line: 5 },
  ]);
});

test("removes comments, and keeps text that only looks like one", () => {
  expect(withoutComments("-- a\nSELECT '--', \"/*\" /* b */, 1 -- c")).toBe("SELECT '--', \"/*\"  , 1");
});

test("splits the foundation into statements that all begin with a command", () => {
  const statements = statementsOf(migrationsOf()[0].sql);
  expect(statements.length).toBeGreaterThan(100);
  for (const { text } of statements) expect(withoutComments(text)).toMatch(/^(CREATE|ALTER|REVOKE) /);
});
