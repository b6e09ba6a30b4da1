import { expect, it } from "vitest";
import { fieldsNeeded } from "./fields-needed";
import type { Rule } from "./rule";

const a: Rule = { field: "attributes.a", op: "eq", value: 1 };
const b: Rule = { field: "attributes.b", op: "ne", value: "x" };
const has = (value: boolean): Rule => ({ field: "attributes.c", op: "exists", value });

it.each<[string, Rule, string[]]>([
  ["a comparison needs its field", a, ["a"]],
  ["a negated comparison needs it too", { not: a }, ["a"]],
  ["all needs the fields of each part", { all: [a, b] }, ["a", "b"]],
  ["any needs what each part needs", { any: [{ all: [a, b] }, a] }, ["a"]],
  ["any of different fields needs none", { any: [a, b] }, []],
  ["a negated all is a choice", { not: { all: [a, b] } }, []],
  ["a negated any needs each", { not: { any: [a, b] } }, ["a", "b"]],
  ["exists needs its field", has(true), ["c"]],
  ["the field of exists false is missing", has(false), []],
  ["not exists false is exists", { not: has(false) }, ["c"]],
  ["not exists is no need", { not: has(true) }, []],
])("%s", (_, rule, fields) => {
  expect([...fieldsNeeded(rule)].sort()).toEqual(fields.map((field) => `attributes.${field}`));
});
