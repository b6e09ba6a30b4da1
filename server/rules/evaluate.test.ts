import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { closeDb } from "@/server/core/db";
import { newId, publicId, type Id } from "@/server/core/ids";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import { compileRule } from "./compile";
import { evaluateRule, type RuleSubject } from "./evaluate";
import { parseRule } from "./parse";
import { maxDepth, opsOf, type FieldKind, type Rule } from "./rule";

const clock = { now: new Date("2026-11-22T10:30:00.123Z"), timeZone: "Europe/Berlin" };
afterAll(closeDb);

// Few words, so that rules and people often match, including words that PostgreSQL and JavaScript could read
// differently.
const words = [
  "a",
  "A",
  "ab",
  "é",
  "e\u0301",
  "ß",
  "İ",
  "𝒳",
  "\uFFFD",
  "%",
  "_",
  "\\",
  "5",
  "05",
  "null",
  "__proto__",
  "a b",
];
const times = [
  "2026-11-22",
  "2026-11-23",
  "2026-11-21",
  "2026-02-30",
  "2024-02-29",
  "0000-01-01",
  "9999-12-31",
  "2026-11-22T10:30:00.123Z",
  "2026-11-22T10:30:00.1239999Z",
  "2026-11-22T11:30:00.124+01:00",
  "2026-11-22T23:00:00Z",
  "2026-11-22T23:59:60Z",
  "2026-11-22T24:00:00Z",
  "2026-11-22t10:30:00z",
  "2026-11-22 10:30:00Z",
  "2026-11-22T10:30Z",
  "now",
  "tomorrow",
  "infinity",
  "epoch",
];
const numbers = [0, -0, 1, 5, 5.5, 0.1, 1e-7, 5e-324, -1, Number.MAX_SAFE_INTEGER];
const keys = ["a", "a", "a", "a", "b", "__proto__", "constructor", "0", "length", "x y", "é"];

const scalar = fc.oneof(
  fc.constantFrom(...words),
  fc.constantFrom(...times),
  fc.constantFrom(...numbers),
  fc.boolean(),
);
const attributeValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    scalar,
    fc.constant(null),
    fc.array(scalar, { maxLength: 3 }),
    fc.array(tie("value"), { maxLength: 2 }),
    object(tie("value")),
  ),
})).value;

/** Parses objects from JSON, as attributes are; fc.dictionary could create objects without a prototype. */
function object(value: fc.Arbitrary<unknown>) {
  return fc
    .array(fc.tuple(fc.constantFrom(...keys), value), { maxLength: 4 })
    .map((pairs) =>
      JSON.parse(`{${pairs.map(([key, each]) => `${JSON.stringify(key)}:${JSON.stringify(each)}`).join(",")}}`),
    ) as fc.Arbitrary<Record<string, unknown>>;
}

const operands = fc.constantFrom(
  "2026-11-22",
  "2026-11-23",
  "2026-11-22T10:30:00.123Z",
  "2026-11-22T23:00:00Z",
  "now",
  "now-1d",
  "now+1d",
  "now-1h",
  "now+12h",
  "now-1mo",
  "now-100y",
);

/** Generates valid rules. */
function rules(groups: string[]): fc.Arbitrary<Rule> {
  const group = fc.constantFrom(...groups);
  const path = fc
    .array(fc.constantFrom(...keys), { minLength: 1, maxLength: 2 })
    .map((parts) => ["attributes", ...parts].join("."));
  const leaf = fc
    .constantFrom<FieldKind>("status", "text", "groups", "attribute", "attribute", "attribute", "attribute")
    .chain((kind) =>
      fc.record({
        field:
          kind === "attribute"
            ? path
            : kind === "text"
              ? fc.constantFrom("email", "externalId", "displayName")
              : fc.constant(kind),
        op: fc.constantFrom(...opsOf[kind]),
        kind: fc.constant(kind),
      }),
    )
    .chain(({ field, op, kind }) => {
      const one: fc.Arbitrary<unknown> =
        kind === "groups"
          ? group
          : kind === "status"
            ? fc.constantFrom("active", "inactive")
            : kind === "text"
              ? fc.constantFrom(...words)
              : scalar;
      const value: Record<string, fc.Arbitrary<unknown>> = {
        in: one.chain((first) =>
          fc
            .array(one, { maxLength: 3 })
            .map((rest) => [first, ...rest.filter((each) => typeof each === typeof first)]),
        ),
        exists: fc.boolean(),
        before: operands,
        after: operands,
        ...Object.fromEntries(["gt", "gte", "lt", "lte"].map((each) => [each, fc.constantFrom(...numbers)])),
        ...Object.fromEntries(["startsWith", "endsWith"].map((each) => [each, fc.constantFrom(...words)])),
      };
      return fc.record({
        field: fc.constant(field),
        op: fc.constant(op),
        value: value[op === "notIn" ? "in" : op] ?? one,
      });
    });
  const tree = fc.letrec<{ rule: unknown }>((tie) => ({
    rule: fc.oneof(
      { depthSize: "small", maxDepth: maxDepth - 1 },
      { arbitrary: leaf, weight: 3 },
      { arbitrary: fc.array(tie("rule"), { minLength: 1, maxLength: 3 }).map((all) => ({ all })), weight: 1 },
      { arbitrary: fc.array(tie("rule"), { minLength: 1, maxLength: 3 }).map((any) => ({ any })), weight: 1 },
      { arbitrary: tie("rule").map((not) => ({ not })), weight: 1 },
    ),
  }));
  return tree.rule.map((given) => {
    const parsed = parseRule(given);
    if ("issues" in parsed) throw new Error(`${JSON.stringify(given)}: ${JSON.stringify(parsed.issues)}`);
    return parsed.rule;
  });
}

function people(groups: string[]): fc.Arbitrary<RuleSubject[]> {
  const text = fc.constantFrom("", ...words);
  return fc.array(
    fc.record({
      status: fc.constantFrom("active", "inactive"),
      email: fc.option(fc.constantFrom(...words), { nil: null }),
      externalId: fc.constantFrom(...words),
      displayName: text,
      attributes: object(attributeValue),
      groups: fc.subarray(groups),
      erased: fc.constantFrom(false, false, false, true),
    }),
    { minLength: 1, maxLength: 25 },
  );
}

/** Creates static groups of an organisation, and a rule group, whose members rules must ignore. */
async function groupsOf({ orgId }: World) {
  const ids = [1, 2, 3].map(() => newId("grp"));
  const derived = newId("grp");
  await sql(
    `INSERT INTO groups (org_id, id, name, kind, rule) SELECT $1, id, 'g', CASE WHEN id = $3 THEN 'rule' ELSE 'static' END, CASE WHEN id = $3 THEN '{"field": "status", "op": "eq", "value": "active"}'::jsonb END FROM unnest($2::uuid[]) AS id`,
    [orgId, [...ids, derived], derived],
  );
  return { ids, derived, names: ids.map((id) => publicId("grp", id)) };
}

/**
 * Replaces the organisation's people by these and puts each of them into the rule group too; their externalIds must
 * differ.
 */
async function store({ orgId }: World, subjects: RuleSubject[], groups: Awaited<ReturnType<typeof groupsOf>>) {
  const rows = subjects.map((subject) => ({ id: newId("sub"), subject }));
  await sql(`DELETE FROM subjects WHERE org_id = $1`, [orgId]);
  await sql(
    `INSERT INTO subjects (org_id, id, external_id, display_name, email, status, attributes, erased_at)
     SELECT $1, (row ->> 'id')::uuid, row ->> 'externalId', row ->> 'displayName', row ->> 'email', row ->> 'status', row -> 'attributes', CASE WHEN (row ->> 'erased')::boolean THEN now() END
     FROM jsonb_array_elements($2::jsonb) AS row`,
    [orgId, JSON.stringify(rows.map(({ id, subject }) => ({ ...subject, id })))],
  );
  const memberships = rows.flatMap(({ id, subject }) => [
    { id, group: groups.derived },
    ...groups.ids.filter((group) => subject.groups.includes(publicId("grp", group))).map((group) => ({ id, group })),
  ]);
  await sql(
    `INSERT INTO group_members (org_id, group_id, subject_id) SELECT $1, g, s FROM unnest($2::uuid[], $3::uuid[]) AS row (g, s)`,
    [orgId, memberships.map(({ group }) => group), memberships.map(({ id }) => id)],
  );
  return rows;
}

async function matchesOf({ orgId }: World, rule: Rule): Promise<Set<Id<"sub">>> {
  const values: unknown[] = [orgId];
  const where = compileRule(rule, clock, (value) => `$${values.push(value)}`);
  const rows = await sql<{ id: Id<"sub"> }>(`SELECT s.id FROM subjects s WHERE s.org_id = $1 AND ${where}`, values);
  return new Set(rows.map(({ id }) => id));
}

describe("a rule", () => {
  it("matches the same people in PostgreSQL and in the evaluator, for any rule and any people", {
    timeout: 240_000,
  }, async () => {
    const home = await world();
    const groups = await groupsOf(home);
    const distinct = (subjects: RuleSubject[]) => [
      ...new Map(subjects.map((subject) => [subject.externalId, subject])).values(),
    ];
    await fc.assert(
      fc.asyncProperty(
        people(groups.names).map(distinct),
        fc.array(rules(groups.names), { minLength: 8, maxLength: 8 }),
        async (subjects, several) => {
          const rows = await store(home, subjects, groups);
          for (const rule of several) {
            const found = await matchesOf(home, rule);
            for (const { id, subject } of rows)
              expect({ rule, subject, matches: found.has(id) }).toEqual({
                rule,
                subject,
                matches: evaluateRule(rule, subject, clock).matches,
              });
          }
        },
      ),
      { numRuns: 250 },
    );
  });

  it("returns the outcome of each comparison, even of those that did not decide", () => {
    const rule: Rule = {
      any: [
        { field: "attributes.dept", op: "eq", value: "math" },
        {
          not: {
            all: [
              { field: "attributes.year", op: "gte", value: 3 },
              { field: "email", op: "exists" },
            ],
          },
        },
      ],
    };
    const subject = { ...nobody, attributes: { dept: "math", year: "3" } };
    expect(evaluateRule(rule, subject, clock)).toEqual({
      matches: true,
      leaves: [
        {
          path: ["any", 0],
          comparison: { field: "attributes.dept", op: "eq", value: "math" },
          found: "math",
          outcome: true,
        },
        {
          path: ["any", 1, "not", "all", 0],
          comparison: { field: "attributes.year", op: "gte", value: 3 },
          found: "3",
          outcome: null,
        },
        {
          path: ["any", 1, "not", "all", 1],
          comparison: { field: "email", op: "exists" },
          found: undefined,
          outcome: false,
        },
      ],
    });
  });
});

const nobody: RuleSubject = {
  status: "active",
  email: null,
  externalId: "s-1",
  displayName: "",
  attributes: {},
  groups: [],
  erased: false,
};

const matches = (rule: Rule, subject: Partial<RuleSubject>, at = clock) =>
  evaluateRule(rule, { ...nobody, ...subject }, at).matches;

describe("a missing value or one of another type", () => {
  it("never matches, negated or not; only exists can test for it", () => {
    const leaf: Rule = { field: "attributes.dept", op: "eq", value: "math" };
    for (const attributes of [{}, { dept: null }, { dept: 5 }, { dept: ["math"] }]) {
      expect([matches(leaf, { attributes }), matches({ not: leaf }, { attributes })]).toEqual([false, false]);
      expect(matches({ field: "attributes.dept", op: "ne", value: "math" }, { attributes })).toBe(false);
    }
    expect(matches({ field: "attributes.dept", op: "exists", value: false }, { attributes: { dept: null } })).toBe(
      true,
    );
    expect(matches({ not: { field: "displayName", op: "exists" } }, {})).toBe(true);
  });

  it("is not converted from a text to a number", () => {
    expect(matches({ field: "attributes.year", op: "eq", value: 3 }, { attributes: { year: "3" } })).toBe(false);
    expect(matches({ field: "attributes.year", op: "gt", value: 1 }, { attributes: { year: "3" } })).toBe(false);
  });

  it("is not read from a prototype", () => {
    expect(matches({ field: "attributes.__proto__", op: "exists" }, {})).toBe(false);
    expect(matches({ field: "attributes.constructor.name", op: "exists" }, {})).toBe(false);
  });
});

describe("times", () => {
  const endsOn = (day: string) => ({ attributes: { end: day } });

  it("read a date without a time as the start of its day in the organisation's time zone", () => {
    const after: Rule = { field: "attributes.end", op: "after", value: "now" };
    // 23:30 UTC of the 22nd is the 23rd in Berlin.
    const late = { ...clock, now: new Date("2026-11-22T23:30:00Z") };
    expect([matches(after, endsOn("2026-11-23")), matches(after, endsOn("2026-11-23"), late)]).toEqual([true, false]);
    expect(matches(after, endsOn("2026-11-24"), late)).toBe(true);
  });

  it("treat today as before now and not after it, except in its first instant", () => {
    const outcomes = (now: string) =>
      (["before", "after"] as const).map((op) =>
        matches({ field: "attributes.end", op, value: "now" }, endsOn("2026-11-22"), { ...clock, now: new Date(now) }),
      );
    expect([outcomes("2026-11-22T10:00:00Z"), outcomes("2026-11-21T23:00:00Z")]).toEqual([
      [true, false],
      [false, false],
    ]);
  });

  it("count calendar days, so that after now-1d holds through the last day, even when clocks change", () => {
    const through: Rule = { field: "attributes.end", op: "after", value: "now-1d" };
    const at = (now: string) => matches(through, endsOn("2026-10-25"), { ...clock, now: new Date(now) });
    // The day of the change has 25 hours in Berlin: it ends at 23:00 UTC.
    expect([at("2026-10-25T22:59:59.999Z"), at("2026-10-25T23:00:00Z")]).toEqual([true, false]);
  });
});

describe("texts", () => {
  it("ignore case in e-mail addresses and nowhere else", () => {
    const email: Rule = { field: "email", op: "endsWith", value: "@Example.edu" };
    expect(matches(email, { email: "Ada@EXAMPLE.edu" })).toBe(true);
    expect(matches({ field: "displayName", op: "startsWith", value: "ada" }, { displayName: "Ada" })).toBe(false);
  });
});
