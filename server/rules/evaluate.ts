import { lowered } from "./compile";
import { isComparison, kindOf, partsOf, pathOf, type Comparison, type Path, type Rule, type Scalar } from "./rule";
import { instantOf, isDayText, isInstantText, momentOf, type Clock } from "./times";

/** A person as rules see them. */
export interface RuleSubject {
  status: string;
  email: string | null;
  externalId: string;
  displayName: string;
  attributes: Record<string, unknown>;
  /** Ids of the static groups that they belong to. */
  groups: readonly string[];
  /** An erased person matches nothing. */
  erased: boolean;
}

/** True, false, or null if the comparison cannot be decided: the value is missing or of another type. */
export type Outcome = boolean | null;

export interface LeafOutcome {
  path: Path;
  comparison: Comparison;
  /** The person's value; undefined if it is missing. */
  found: unknown;
  outcome: Outcome;
}

export interface Evaluation {
  matches: boolean;
  /** Every comparison, in the order of the rule's text. */
  leaves: LeafOutcome[];
}

/** Decides whether one person matches a rule, as compileRule's SQL does, and returns the outcome of each comparison. */
export function evaluateRule(rule: Rule, subject: RuleSubject, clock: Clock): Evaluation {
  const leaves: LeafOutcome[] = [];
  const outcome = evaluate(rule, [], (path, comparison) => {
    const found = valueOf(comparison.field, subject);
    const leaf = { path, comparison, found, outcome: compare(comparison, found, clock) };
    leaves.push(leaf);
    return leaf.outcome;
  });
  return { matches: outcome === true && !subject.erased, leaves };
}

function evaluate(rule: Rule, path: Path, leaf: (path: Path, comparison: Comparison) => Outcome): Outcome {
  if (isComparison(rule)) return leaf(path, rule);
  const outcomes = partsOf(rule).map((each) => evaluate(each.part, [...path, ...each.path], leaf));
  if ("not" in rule) return outcomes[0] === null ? null : !outcomes[0];
  const decisive = "any" in rule;
  if (outcomes.includes(decisive)) return decisive;
  return outcomes.includes(null) ? null : !decisive;
}

/**
 * Returns the value of a field; undefined if it is missing or null. Outside attributes, an empty text counts as
 * missing.
 */
function valueOf(field: string, subject: RuleSubject): unknown {
  switch (kindOf(field)) {
    case "groups":
      return subject.groups;
    case "attribute":
      return ownAt(subject.attributes, pathOf(field));
    default:
      return subject[field as "status" | "email" | "externalId" | "displayName"] || undefined;
  }
}

/** Follows own properties of objects only: no prototypes and no items of lists. */
function ownAt(from: unknown, path: string[]): unknown {
  let value = from;
  for (const key of path) {
    if (typeof value !== "object" || value === null || Array.isArray(value) || !Object.hasOwn(value, key))
      return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value ?? undefined;
}

function compare({ field, op, value }: Comparison, found: unknown, clock: Clock): Outcome {
  if (field === "groups") return compareGroups(op, value, found as string[]);
  if (op === "exists") return (found !== undefined) === (value !== false);
  if (found === undefined) return null;
  const address = field === "email";
  const fold = (text: unknown) => (address && typeof text === "string" ? lowered(text) : text);
  return compareValues(op, fold(found), Array.isArray(value) ? value.map(fold) : fold(value), clock);
}

function compareGroups(op: Comparison["op"], value: Comparison["value"], groups: string[]): boolean {
  if (op === "exists") return groups.length > 0 === (value !== false);
  const isIn = [value as string | string[]].flat().some((id) => groups.includes(id));
  return op === "notIn" ? !isIn : isIn;
}

function compareValues(op: Comparison["op"], found: unknown, value: unknown, clock: Clock): Outcome {
  const both = <T extends Scalar>(type: "string" | "number", decide: (found: T, value: T) => Outcome): Outcome =>
    typeof found === type && typeof value === type ? decide(found as T, value as T) : null;
  switch (op) {
    case "eq":
    case "ne":
      return typeof found === typeof value ? (found === value) === (op === "eq") : null;
    case "in":
    case "notIn": {
      const values = value as Scalar[];
      return typeof found === typeof values[0] ? values.includes(found as Scalar) === (op === "in") : null;
    }
    case "contains":
      return Array.isArray(found) ? found.includes(value) : both<string>("string", (text, part) => text.includes(part));
    case "startsWith":
      return both<string>("string", (text, part) => text.startsWith(part));
    case "endsWith":
      return both<string>("string", (text, part) => text.endsWith(part));
    case "gt":
      return both<number>("number", (a, b) => a > b);
    case "gte":
      return both<number>("number", (a, b) => a >= b);
    case "lt":
      return both<number>("number", (a, b) => a < b);
    case "lte":
      return both<number>("number", (a, b) => a <= b);
    case "before":
    case "after":
      return both<string>("string", (text, operand) => compareTimes(op, text, operand, clock));
    case "exists":
      return null;
  }
}

function compareTimes(op: "before" | "after", text: string, operand: string, clock: Clock): Outcome {
  const { instant, lastDayNotAfter, firstDayNotBefore } = momentOf(operand, clock);
  if (isDayText(text)) return op === "after" ? text > lastDayNotAfter : text < firstDayNotBefore;
  if (isInstantText(text)) return op === "after" ? instantOf(text) > instant : instantOf(text) < instant;
  return null;
}
