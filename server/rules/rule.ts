/** A rule of contract section 12: which people are meant. Its JSON is this tree. */
export type Rule = { all: Rule[] } | { any: Rule[] } | { not: Rule } | Comparison;

/** A leaf: compares one field of a person with a value. */
export interface Comparison {
  /** One of `fields`, or `attributes.` and a path. */
  field: string;
  op: Op;
  /** Absent for `exists` alone, where that means true. */
  value?: Operand;
}

export type Scalar = string | number | boolean;
export type Operand = Scalar | Scalar[];

export const ops = [
  "eq",
  "ne",
  "in",
  "notIn",
  "startsWith",
  "endsWith",
  "contains",
  "exists",
  "gt",
  "gte",
  "lt",
  "lte",
  "before",
  "after",
] as const;
export type Op = (typeof ops)[number];

export type FieldKind = "status" | "text" | "groups" | "attribute";

/** The fields of a person that a rule compares, beside `attributes.<path>`. */
export const fields = {
  status: "status",
  email: "text",
  externalId: "text",
  displayName: "text",
  groups: "groups",
} as const satisfies Record<string, FieldKind>;

const comparisons = ["eq", "ne", "in", "notIn", "exists"] as const;

/** What each kind of field can be asked. */
export const opsOf: Record<FieldKind, readonly Op[]> = {
  status: comparisons,
  text: [...comparisons, "startsWith", "endsWith", "contains"],
  groups: ["contains", "in", "notIn", "exists"],
  attribute: ops,
};

export const statuses = ["active", "inactive"] as const;

export const maxDepth = 8;
export const maxLeaves = 100;
/** Of one list behind `in` and `notIn`. */
export const maxValues = 500;
/** Characters of one text that is compared. */
export const maxText = 1000;

/** Between dots, as the paths of `attributes` in a template: never empty, never part of a longer key. */
const attributePath = /^attributes(?:\.[^.\p{Cc}]{1,100}){1,8}$/u;

/** Which kind of field a name is; undefined for none. */
export function kindOf(field: string): FieldKind | undefined {
  if (Object.hasOwn(fields, field)) return fields[field as keyof typeof fields];
  return attributePath.test(field) ? "attribute" : undefined;
}

/** The keys that lead to an attribute. */
export const pathOf = (field: string): string[] => field.split(".").slice(1);

/** Where a comparison stands in its rule, as the keys that lead to it. */
export type Path = readonly (string | number)[];

export const isComparison = (rule: Rule): rule is Comparison => "field" in rule;

/** The rules right under one, each with the keys that lead to it. */
export function partsOf(rule: Exclude<Rule, Comparison>): { path: Path; part: Rule }[] {
  if ("not" in rule) return [{ path: ["not"], part: rule.not }];
  const [key, parts] = "all" in rule ? (["all", rule.all] as const) : (["any", rule.any] as const);
  return parts.map((part, index) => ({ path: [key, index], part }));
}

/** All comparisons of a rule, in the order of its text. */
export function comparisonsOf(rule: Rule, at: Path = []): { path: Path; comparison: Comparison }[] {
  if (isComparison(rule)) return [{ path: at, comparison: rule }];
  return partsOf(rule).flatMap(({ path, part }) => comparisonsOf(part, [...at, ...path]));
}

/** The ids of the groups that a rule names, each with its place. */
export function groupsNamedIn(rule: Rule): { path: Path; id: string }[] {
  return comparisonsOf(rule).flatMap(({ path, comparison: { field, value } }) => {
    if (field !== "groups" || value === undefined || typeof value === "boolean") return [];
    return Array.isArray(value)
      ? value.map((id, index) => ({ path: [...path, "value", index], id: String(id) }))
      : [{ path: [...path, "value"], id: String(value) }];
  });
}
