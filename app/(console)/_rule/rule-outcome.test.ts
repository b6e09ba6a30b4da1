import { expect, it } from "vitest";
import { evaluateRule } from "@/server/rules/evaluate";
import type { Rule } from "@/server/rules/rule";
import { jsonPointer } from "@/server/core/json-pointer";
import { outcomeOf } from "./rule-outcome";

const leaf = (field: string) => ({ field: `attributes.${field}`, op: "eq", value: "x" }) as const;
/** Met, not met and missing. */
const [yes, no, missing] = [leaf("yes"), leaf("no"), leaf("missing")];
const rules: [Rule, boolean | null][] = [
  [yes, true],
  [{ not: yes }, false],
  [{ not: missing }, null],
  [{ all: [yes, missing] }, null],
  [{ all: [missing, no] }, false],
  [{ any: [missing, yes] }, true],
  [{ any: [missing, no] }, null],
  [{ all: [yes, { any: [no, { not: { all: [yes, no] } }] }] }, true],
];

it.each(rules)("shows the outcome of a part as the rule language evaluates it: %j", (rule, expected) => {
  const person = {
    status: "active",
    email: null,
    externalId: "p-1",
    displayName: "",
    attributes: { yes: "x", no: "y" },
    groups: [],
    erased: false,
  };
  const { leaves, matches } = evaluateRule(rule, person, { now: new Date(), timeZone: "UTC" });
  const known = new Map(
    leaves.map(({ path, comparison, found, outcome }) => {
      const pointer = jsonPointer(["rule", ...path]);
      return [pointer, { pointer, field: comparison.field, found, outcome }];
    }),
  );
  const shown = outcomeOf(rule as Record<string, unknown>, "/rule", known);
  expect([shown, shown === true]).toEqual([expected, matches]);
});
