import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newPublicId } from "@/server/core/ids";
import { parseRule } from "./parse";
import { comparisonsOf, groupsNamedIn, maxDepth, maxLeaves } from "./rule";

/** Returns the issues of a rule as "path: message". */
function wrong(given: unknown): string[] {
  const parsed = parseRule(given);
  return "issues" in parsed ? parsed.issues.map(({ path, message }) => `/${path.join("/")}: ${message}`) : [];
}

const leaf = { field: "status", op: "eq", value: "active" };
const nested = (depth: number): unknown => (depth === 1 ? leaf : { not: nested(depth - 1) });

describe("a valid rule", () => {
  it.each([
    [leaf],
    [{ field: "email", op: "exists" }],
    [{ field: "attributes.address.city", op: "in", value: ["Bern", "Zürich"] }],
    [{ field: "attributes.Start date", op: "after", value: "now-30d" }],
    [{ field: "groups", op: "notIn", value: [newPublicId("grp")] }],
    [{ all: [leaf, { any: [leaf] }, { not: leaf }] }],
    [nested(maxDepth)],
  ])("is returned unchanged: %j", (rule) => {
    expect(parseRule(rule)).toEqual({ rule });
  });

  it("has its external ids normalised to the form in which they are stored", () => {
    expect(parseRule({ field: "externalId", op: "eq", value: "e\u0301" })).toEqual({
      rule: { field: "externalId", op: "eq", value: "\u00e9" },
    });
  });

  it("has its groups listed by groupsNamedIn, each with its path", () => {
    const [a, b] = [newPublicId("grp"), newPublicId("grp")];
    expect(
      groupsNamedIn({
        all: [
          { field: "groups", op: "contains", value: a },
          { field: "groups", op: "in", value: [b] },
        ],
      }),
    ).toEqual([
      { path: ["all", 0, "value"], id: a },
      { path: ["all", 1, "value", 0], id: b },
    ]);
  });
});

describe("the text to search for", () => {
  const contains = (length: number, field = "attributes.t") => ({ field, op: "contains", value: "a".repeat(length) });

  it.each(["contains", "startsWith", "endsWith"])("after %s has at most 200 characters", (op) => {
    for (const field of ["displayName", "attributes.t"]) {
      expect(wrong({ ...contains(200, field), op })).toEqual([]);
      expect(wrong({ ...contains(201, field), op })).toEqual(["/value: must have at most 200 characters"]);
    }
  });

  it("after contains has at most 2,000 characters in all comparisons together", () => {
    expect(wrong({ any: Array(10).fill(contains(200)) })).toEqual([]);
    expect(wrong({ any: [...Array(10).fill(contains(200)), contains(1), contains(1)] })).toEqual([
      "/: must hold at most 2000 characters behind contains, in all comparisons together",
    ]);
  });
});

describe("an invalid rule", () => {
  it.each([
    [null, "/: must be an object: a comparison, or one with all, any or not"],
    [[leaf], "/: must be an object: a comparison, or one with all, any or not"],
    [{}, "/field: must be one of status, email, externalId, displayName, groups, or attributes. and a path"],
    [{ all: [] }, "/all: must hold at least one rule"],
    [{ all: leaf }, "/all: must be a list of rules"],
    [{ all: [leaf], any: [leaf] }, "/: must have nothing beside all; put rules that belong together under all or any"],
    [{ any: [leaf, { not: { ...leaf, value: "gone" } }] }, "/any/1/not/value: must be one of active, inactive"],
    [{ ...leaf, values: 1 }, "/values: is not part of a rule. Known: all, any, not, field, op, value."],
    [
      { ...leaf, op: "like" },
      "/op: must be one of eq, ne, in, notIn, startsWith, endsWith, contains, exists, gt, gte, lt, lte, before, after",
    ],
    [{ ...leaf, op: "gt" }, "/op: must be one of eq, ne, in, notIn, exists for status"],
    [
      { field: "attributes", op: "exists" },
      "/field: must be one of status, email, externalId, displayName, groups, or attributes. and a path",
    ],
    [
      { field: "attributes.a..b", op: "exists" },
      "/field: must be one of status, email, externalId, displayName, groups, or attributes. and a path",
    ],
    [
      { field: "attributes.a", op: "eq", value: null },
      "/value: must be a string, a number, true or false; to ask for what is missing, use exists with false",
    ],
    [{ field: "attributes.a", op: "eq" }, "/value: must be a string, a number, true or false"],
    [
      { field: "attributes.a", op: "eq", value: 2 ** 53 },
      "/value: must not be a number beyond 2^53, which JSON readers round; keep such numbers as strings",
    ],
    [
      { field: "attributes.a", op: "eq", value: "\ud800" },
      "/value: must be text that can be stored, without NUL and without half surrogate pairs",
    ],
    [
      { field: "attributes.a", op: "eq", value: "\0" },
      "/value: must be text that can be stored, without NUL and without half surrogate pairs",
    ],
    [{ field: "attributes.a", op: "eq", value: "x".repeat(1001) }, "/value: must have at most 1000 characters"],
    [
      { field: "attributes.a", op: "in", value: ["a", 1] },
      "/value/1: must be of one type with the others: attributes.a has one type",
    ],
    [{ field: "attributes.a", op: "in", value: [] }, "/value: must be a list of 1 to 500 values"],
    [{ field: "attributes.a", op: "gt", value: "5" }, "/value: must be a number; compare dates with before and after"],
    [{ field: "attributes.a", op: "exists", value: "yes" }, "/value: must be true or false, or be left out"],
    [{ field: "attributes.a", op: "contains", value: "" }, "/value: must be a string that is not empty"],
    [{ field: "groups", op: "in", value: ["grp_1"] }, "/value/0: must be the id of a group, which begins with grp_"],
  ])("is refused with the path of the mistake: %j", (given, issue) => {
    expect(wrong(given)).toContain(issue);
  });

  it.each(["yesterday", "now-30", "now-999999y", "2026-02-30", "2026-1-1", "2026-01-01T10:00:00", 5])(
    "is refused if its time is %j",
    (value) => {
      expect(wrong({ field: "attributes.a", op: "after", value })).toEqual([
        "/value: must be a date such as 2026-09-30, a time with its zone, or relative to now: now, now-30d, now+12h (h, d, w, mo, y)",
      ]);
    },
  );

  it("is refused if it is too deep, however deep it is", () => {
    expect(wrong(nested(maxDepth + 1))).toEqual([
      `/${Array(maxDepth).fill("not").join("/")}: must not be more than 8 levels deep`,
    ]);
    let deep: unknown = leaf;
    for (let i = 0; i < 200_000; i++) deep = { not: deep };
    expect(wrong(deep)).toHaveLength(1);
  });

  it("is refused with one issue if it has too many comparisons, however many they are", () => {
    expect(wrong({ any: Array(maxLeaves).fill(leaf) })).toEqual([]);
    expect(wrong({ any: Array(1_000_000).fill(leaf) })).toEqual([`/: must hold at most ${maxLeaves} comparisons`]);
    expect(wrong({ any: Array(1_000_000).fill(null) }).length).toBeLessThanOrEqual(50);
  });

  it("is refused if it uses names of prototype properties as keys, field or operator", () => {
    expect(wrong(JSON.parse(`{"__proto__": {"field": "status"}, "op": "eq"}`))).toEqual(
      expect.arrayContaining(["/__proto__: is not part of a rule. Known: all, any, not, field, op, value."]),
    );
    expect(wrong({ field: "constructor", op: "exists" })).toHaveLength(1);
    expect(wrong({ field: "attributes.a", op: "toString" })).toHaveLength(1);
  });
});

it("parseRule never throws on JSON, and accepts a rule that it returned unchanged", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (given) => {
      const parsed = parseRule(given);
      if ("rule" in parsed) {
        expect(parseRule(parsed.rule)).toEqual(parsed);
        expect(comparisonsOf(parsed.rule).length).toBeGreaterThan(0);
      } else expect(parsed.issues.length).toBeGreaterThan(0);
    }),
    { numRuns: 2000 },
  );
});
