import fc from "fast-check";
import { expect, it } from "vitest";
import { ScimError } from "./error";
import { foldMemberChanges, isOfMembers, replaceMembers, splitMembers, type MemberDelta } from "./member-delta";
import { readPatch } from "./patch";
import { groupSchema } from "./schemas";
import type { Fields, Json } from "./values";

const fold = (Operations: unknown) =>
  foldMemberChanges(readPatch(groupSchema, { Operations } as Fields).filter(isOfMembers));

const apply = ({ clears, adds, removes }: MemberDelta, before: string[]): string[] =>
  [...new Set([...(clears ? [] : before.filter((each) => !removes.has(each))), ...adds])].toSorted();

function refusal(run: () => unknown): unknown {
  try {
    run();
    return null;
  } catch (error) {
    if (error instanceof ScimError) return error.scimType;
    throw error;
  }
}

const parts = fc.constantFrom("display", "type", "$ref", "Display", "shoeSize");
const partOfMembers = fc.oneof(
  parts.map((part) => `members.${part}`),
  fc.tuple(fc.constantFrom("a", "nobody"), parts).map(([id, part]) => `members[value eq "${id}"].${part}`),
);

it("adds and removes nobody by a change of a part of members", () => {
  const change = fc.oneof(
    fc.record({
      op: fc.constantFrom("add", "Replace", "remove"),
      path: partOfMembers,
      value: fc.constantFrom("x", "a"),
    }),
    fc.record({ op: fc.constant("remove"), path: partOfMembers }),
    fc.record({ op: fc.constantFrom("add", "replace"), value: fc.dictionary(partOfMembers, fc.constant("x")) }),
  );
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      expect(fold(changes)).toEqual({ clears: false, adds: new Set(), removes: new Set() });
    }),
  );
});

const who = fc.constantFrom("a", "b", "c", "d");
const some = fc.array(who, { maxLength: 3 });
const step = fc.oneof(
  fc.record({ op: fc.constantFrom("add", "Remove", "REPLACE"), those: some, as: fc.constantFrom("list", "wrapped") }),
  fc.record({
    op: fc.constant("remove"),
    those: fc.array(who, { minLength: 1, maxLength: 2 }),
    as: fc.constant("filter"),
  }),
  fc.record({ op: fc.constant("remove"), those: fc.constant([] as string[]), as: fc.constant("all") }),
);

it("has the same result as applying one operation after another to the list of members", () => {
  fc.assert(
    fc.property(some, fc.array(step, { maxLength: 6 }), (before, steps) => {
      let expected = new Set<string>(before);
      for (const { op, those, as } of steps) {
        const lower = op.toLowerCase();
        if (as === "all" || lower === "replace") expected = new Set();
        for (const each of those) {
          if (lower === "remove") expected.delete(each);
          else expected.add(each);
        }
      }
      const operations = steps.map(({ op, those, as }) => {
        if (as === "all") return { op, path: "members" };
        if (as === "filter") return { op, path: `members[${those.map((one) => `value eq "${one}"`).join(" or ")}]` };
        return { op, path: "Members", value: those.map((value) => (as === "list" ? value : { $ref: null, value })) };
      });
      expect(apply(fold(operations), before)).toEqual([...expected].toSorted());
    }),
  );
});

const hostile = fc.constantFrom("__proto__", "constructor", "members", "Members", "displayName", "urn:x:members");
const operation = fc.record(
  {
    op: fc.constantFrom("add", "Replace", "remove", "move"),
    path: fc.oneof(
      hostile,
      fc.string(),
      hostile.map((name) => `members[${name} eq "x"]`),
      fc.constant(undefined),
    ),
    value: fc.oneof(fc.jsonValue(), fc.dictionary(hostile, fc.jsonValue())),
  },
  { requiredKeys: ["op"] },
);

it("reads or refuses any operations, including members of a body, and never touches a prototype", () => {
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 5 }), fc.dictionary(hostile, fc.jsonValue()), (operations, body) => {
      refusal(() => fold(operations));
      refusal(() => replaceMembers(splitMembers(body as Fields).members));
      expect(({} as Fields)["polluted"]).toBeUndefined();
    }),
    { numRuns: 2_000 },
  );
});

it.each<[string, Json, string]>([
  ["a member that is a number", [{ op: "add", path: "members", value: [7] }], "invalidValue"],
  ["a member without a value", [{ op: "add", path: "members", value: [{ display: "x" }] }], "invalidValue"],
  ["a value that is too long", [{ op: "add", path: "members", value: "x".repeat(501) }], "invalidValue"],
  ["a remove of the value of a member", [{ op: "remove", path: 'members[value eq "a"].value' }], "mutability"],
  ["a remove of the values of all members", [{ op: "remove", path: "members.value" }], "mutability"],
  ["another value of a member", [{ op: "replace", value: { "members.Value": "b" } }], "mutability"],
  ["another filter", [{ op: "remove", path: 'members[value sw "a"]' }], "invalidFilter"],
  [
    "filters that both must meet",
    [{ op: "remove", path: 'members[value eq "a" and type eq "User"]' }],
    "invalidFilter",
  ],
])("refuses %s", (_, operations, scimType) => {
  expect(refusal(() => fold(operations))).toBe(scimType);
});
