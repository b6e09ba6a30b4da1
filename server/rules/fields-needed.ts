import { isComparison, type Rule } from "./rule";

/**
 * Returns the fields without which a rule matches nobody: everyone who matches has a value in each of them. With `any`,
 * only the fields that every branch needs.
 */
export const fieldsNeeded = (rule: Rule): Set<string> => needed(rule, true);

/**
 * The fields that have a value whenever the rule is true, or whenever it is false: a missing field makes it neither.
 */
function needed(rule: Rule, outcome: boolean): Set<string> {
  if (isComparison(rule)) {
    const { field, op, value = true } = rule;
    // `exists` is the one comparison that can be decided without a value.
    return op === "exists" && value !== outcome ? new Set() : new Set([field]);
  }
  if ("not" in rule) return needed(rule.not, !outcome);
  const parts = ("all" in rule ? rule.all : rule.any).map((part) => needed(part, outcome));
  // All parts are true where `all` is true, and all are false where `any` is false; otherwise one of them is enough.
  if ("all" in rule === outcome) return new Set(parts.flatMap((part) => [...part]));
  const [first, ...rest] = parts;
  return new Set([...first!].filter((field) => rest.every((part) => part.has(field))));
}
