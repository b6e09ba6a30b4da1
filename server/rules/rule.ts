/** A rule of contract section 12: which people match. Its JSON is this tree. */
export type Rule = { all: Rule[] } | { any: Rule[] } | { not: Rule } | Comparison;

/** A leaf: compares one field of a person with a value. */
export interface Comparison {
  /** One of `fields`, or `attributes.` followed by a path. */
  field: string;
  op: Op;
  /** Absent only for `exists`, and then means true. */
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

/** The fields of a person that a rule can compare, besides `attributes.<path>`. */
export const fields = {
  status: "status",
  email: "text",
  externalId: "text",
  displayName: "text",
  groups: "groups",
} as const satisfies Record<string, FieldKind>;

const comparisons = ["eq", "ne", "in", "notIn", "exists"] as const;

/** The operators of each kind of field. */
export const opsOf: Record<FieldKind, readonly Op[]> = {
  status: comparisons,
  text: [...comparisons, "startsWith", "endsWith", "contains"],
  groups: ["contains", "in", "notIn", "exists"],
  attribute: ops,
};

export const statuses = ["active", "inactive"] as const;

export const maxDepth = 8;
export const maxLeaves = 100;
/** Most values in a list of `in` or `notIn`. */
export const maxValues = 500;
/** Most characters of a text to compare with. */
export const maxText = 1000;
/** Of a text for startsWith, endsWith and contains. */
export const maxPattern = 200;
/**
 * Of all texts for contains in a rule. The search for one takes up to its length times that of the attribute, for
 * everybody (decision 366).
 */
export const maxPatterns = 2_000;

/** Keys between dots, like the paths of `attributes` in a template: never empty, never part of a longer key. */
const attributePath = /^attributes(?:\.[^.\p{Cc}]{1,100}){1,8}$/u;

/** Returns the kind of a field; undefined if there is no such field. */
export function kindOf(field: string): FieldKind | undefined {
  if (Object.hasOwn(fields, field)) return fields[field as keyof typeof fields];
  return attributePath.test(field) ? "attribute" : undefined;
}

/** Returns the keys that lead to an attribute. */
export const pathOf = (field: string): string[] => field.split(".").slice(1);

/** The keys that lead to a comparison in its rule. */
export type Path = readonly (string | number)[];

export const isComparison = (rule: Rule): rule is Comparison => "field" in rule;

/** Returns the direct parts of a rule, each with the keys that lead to it. */
export function partsOf(rule: Exclude<Rule, Comparison>): { path: Path; part: Rule }[] {
  if ("not" in rule) return [{ path: ["not"], part: rule.not }];
  const [key, parts] = "all" in rule ? (["all", rule.all] as const) : (["any", rule.any] as const);
  return parts.map((part, index) => ({ path: [key, index], part }));
}

/** Returns all comparisons of a rule in the order of its text. */
export function comparisonsOf(rule: Rule, at: Path = []): { path: Path; comparison: Comparison }[] {
  if (isComparison(rule)) return [{ path: at, comparison: rule }];
  return partsOf(rule).flatMap(({ path, part }) => comparisonsOf(part, [...at, ...path]));
}

/** Returns the ids of the groups that a rule names, each with its path. */
export function groupsNamedIn(rule: Rule): { path: Path; id: string }[] {
  return comparisonsOf(rule).flatMap(({ path, comparison: { field, value } }) => {
    if (field !== "groups" || value === undefined || typeof value === "boolean") return [];
    return Array.isArray(value)
      ? value.map((id, index) => ({ path: [...path, "value", index], id: String(id) }))
      : [{ path: [...path, "value"], id: String(value) }];
  });
}
