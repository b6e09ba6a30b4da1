import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sql } from "@/server/testing/sql";
import { ScimError } from "./error";
import { resourceMatches } from "./evaluate";
import { parseFilter, type Filter } from "./filter";
import { filterSql, type Filtered } from "./filter-sql";
import { enterpriseUrn, userSchema } from "./schemas";
import { readResource, type Fields } from "./values";

const filtered: Filtered = {
  schema: userSchema,
  columns: {},
  json: "resource",
  readId: (text) => text,
  fold: (text) => text,
};
const refusal = (text: string) => {
  try {
    filterSql(parseFilter(text), filtered, () => "$1");
  } catch (error) {
    if (error instanceof ScimError) return error.scimType;
    throw error;
  }
  return null;
};

describe("a filter", () => {
  it.each<[string, Filter]>([
    ['userName eq "ada"', { op: "eq", name: "userName", value: "ada" }],
    ["externalId eq jyoung", { op: "eq", name: "externalId", value: "jyoung" }],
    ["externalId eq 'j young'", { op: "eq", name: "externalId", value: "j young" }],
    ["emails[value eq 'it\\'s']", { op: "each", name: "emails", of: { op: "eq", name: "value", value: "it's" } }],
    ["externalId eq o'brien", { op: "eq", name: "externalId", value: "o'brien" }],
    ['USERNAME EQ "a\\"b"', { op: "eq", name: "USERNAME", value: 'a"b' }],
    ["active eq True", { op: "eq", name: "active", value: true }],
    [
      'emails[type eq "work"].value eq "a@b.org"',
      {
        op: "each",
        name: "emails",
        of: {
          op: "and",
          of: [
            { op: "eq", name: "type", value: "work" },
            { op: "eq", name: "value", value: "a@b.org" },
          ],
        },
      },
    ],
    [
      'title pr and (userType eq "a" or not (userType sw "b"))',
      {
        op: "and",
        of: [
          { op: "pr", name: "title" },
          {
            op: "or",
            of: [
              { op: "eq", name: "userType", value: "a" },
              { op: "not", of: { op: "sw", name: "userType", value: "b" } },
            ],
          },
        ],
      },
    ],
  ])("reads %s", (text, expected) => {
    expect(parseFilter(text)).toEqual(expected);
  });

  it.each([
    "",
    "userName",
    "userName eq",
    "userName is 1",
    'userName eq "a" or',
    "(userName pr",
    "userName pr)",
    'userName eq "a',
    "userName eq 'a",
    "userName eq 'a'b",
    "userName eq “a”",
    'shoeSize eq "42"',
    'emails[shoe eq "a"]',
    'password eq "a"',
    'active gt "a"',
    "active eq maybe",
    `${"(".repeat(30)}userName pr${")".repeat(30)}`,
    Array.from({ length: 101 }, () => "userName pr").join(" or "),
    `userName eq "${"a".repeat(5_000)}"`,
  ])("refuses %.40s as invalidFilter", (text) => {
    expect(refusal(text)).toBe("invalidFilter");
  });
});

const word = fc.constantFrom("", "a", "A", "b", "ab", "Ba", "work", "home", "%", "_", "'", "x\\y");
const resource = fc
  .record(
    {
      title: word,
      userName: word,
      active: fc.boolean(),
      name: fc.record({ givenName: word }, { requiredKeys: [] }),
      emails: fc.array(fc.record({ value: word, type: word, primary: fc.boolean() }, { requiredKeys: [] })),
      profileUrl: word,
      [enterpriseUrn]: fc.record({ department: word, manager: word }, { requiredKeys: [] }),
    },
    { requiredKeys: [] },
  )
  .map((body) => readResource(userSchema, body as Fields));
const text = fc.constantFrom("eq", "ne", "co", "sw", "ew", "gt", "ge", "lt", "le");
const names = fc.constantFrom(
  "title",
  "USERNAME",
  "name.givenName",
  "emails.value",
  "emails",
  "emails.type",
  "profileUrl",
  `${enterpriseUrn}:department`,
  `${enterpriseUrn}:manager.value`,
);
const filter = fc.letrec<{ any: Filter; leaf: Filter; inner: Filter }>((tie) => ({
  leaf: fc.oneof(
    fc.record({ op: text, name: names, value: fc.oneof(word, fc.constant(null)) }),
    fc.record({ op: fc.constantFrom("eq", "ne"), name: fc.constant("active"), value: fc.boolean() }),
    fc.record({ op: fc.constant("pr"), name: fc.oneof(names, fc.constant("active")) }),
  ) as fc.Arbitrary<Filter>,
  inner: fc.oneof(
    { depthSize: "small" },
    fc.record({ op: text, name: fc.constantFrom("value", "type"), value: word }),
    fc.record({ op: fc.constantFrom("eq", "ne"), name: fc.constant("primary"), value: fc.boolean() }),
    fc.record({ op: fc.constant("not"), of: tie("inner") }),
    fc.record({ op: fc.constantFrom("and", "or"), of: fc.array(tie("inner"), { minLength: 1, maxLength: 3 }) }),
  ) as fc.Arbitrary<Filter>,
  any: fc.oneof(
    { depthSize: "small" },
    tie("leaf"),
    fc.record({ op: fc.constant("each"), name: fc.constant("emails"), of: tie("inner") }),
    fc.record({ op: fc.constant("not"), of: tie("any") }),
    fc.record({ op: fc.constantFrom("and", "or"), of: fc.array(tie("any"), { minLength: 1, maxLength: 3 }) }),
  ) as fc.Arbitrary<Filter>,
}));

it("finds by SQL the same people as a plain evaluation", async () => {
  await fc.assert(
    fc.asyncProperty(filter.any, fc.array(resource, { minLength: 1, maxLength: 8 }), async (wanted, resources) => {
      const values: unknown[] = [JSON.stringify(resources)];
      const where = filterSql(wanted, filtered, (value) => `$${values.push(value)}`);
      const rows = await sql<{ n: number }>(
        `SELECT n::int - 1 AS n FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS given (resource, n) WHERE ${where} ORDER BY n`,
        values,
      );
      const found = [...resources.keys()].filter((n) => resourceMatches(wanted, userSchema, resources[n]!));
      expect(rows.map(({ n }) => n)).toEqual(found);
    }),
    { numRuns: 300 },
  );
});

it("parses or refuses any text", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc
          .array(fc.constantFrom("userName", "eq", '"a"', "(", ")", "[", "]", "not", "and", ".value", "pr"))
          .map((parts) => parts.join(" ")),
      ),
      (given) => {
        expect([null, "invalidFilter"]).toContain(refusal(given));
      },
    ),
    { numRuns: 3_000 },
  );
});
