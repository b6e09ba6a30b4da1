import { isId } from "@/server/core/ids";
import {
  fields,
  kindOf,
  maxDepth,
  maxLeaves,
  maxPattern,
  maxPatterns,
  maxText,
  maxValues,
  ops,
  opsOf,
  statuses,
  type Comparison,
  type FieldKind,
  type Op,
  type Operand,
  type Path,
  type Rule,
  type Scalar,
} from "./rule";
import { isTimeOperand } from "./times";

/** A mistake in a rule and its path. The message continues the name of the place, e.g. "must be an object". */
export interface RuleIssue {
  path: Path;
  message: string;
}

export type ParsedRule = { rule: Rule } | { issues: RuleIssue[] };

/** The search stops at this many issues. */
const maxIssues = 50;

/**
 * Reads a rule from any JSON value, or returns its issues, each with its path. Reads own properties only, and nothing
 * beyond the limits of depth and size.
 */
export function parseRule(given: unknown): ParsedRule {
  const reading = new Reading();
  const rule = reading.rule(given, []);
  return reading.issues.length > 0 ? { issues: reading.issues } : { rule: rule! };
}

class Reading {
  readonly issues: RuleIssue[] = [];
  #leaves = 0;
  #patterns = 0;

  rule(given: unknown, path: Path, depth = 1): Rule | undefined {
    if (!isObject(given)) return this.#wrong(path, "must be an object: a comparison, or one with all, any or not");
    if (depth > maxDepth) return this.#wrong(path, `must not be more than ${maxDepth} levels deep`);
    const branches = (["all", "any", "not"] as const).filter((key) => Object.hasOwn(given, key));
    if (branches.length === 0) return this.#comparison(given, path);
    const [branch] = branches;
    if (Object.keys(given).length > 1)
      return this.#wrong(path, `must have nothing beside ${branch!}; put rules that belong together under all or any`);
    const inner = given[branch!];
    if (branch === "not") {
      const part = this.rule(inner, [...path, "not"], depth + 1);
      return part && { not: part };
    }
    const parts = this.#list(inner, [...path, branch!], depth);
    return parts && (branch === "all" ? { all: parts } : { any: parts });
  }

  #list(given: unknown, path: Path, depth: number): Rule[] | undefined {
    if (!Array.isArray(given)) return this.#wrong(path, "must be a list of rules");
    if (given.length === 0) return this.#wrong(path, "must hold at least one rule");
    const parts: Rule[] = [];
    for (const [index, each] of given.entries()) {
      if (this.issues.length >= maxIssues || this.#leaves > maxLeaves) break;
      const part = this.rule(each, [...path, index], depth + 1);
      if (part) parts.push(part);
    }
    return parts;
  }

  #comparison(given: Record<string, unknown>, path: Path): Rule | undefined {
    this.#leaves += 1;
    if (this.#leaves > maxLeaves)
      return this.#leaves === maxLeaves + 1 ? this.#wrong([], `must hold at most ${maxLeaves} comparisons`) : undefined;
    const { field, op } = own(given);
    const before = this.issues.length;
    for (const key of Object.keys(given).slice(0, maxIssues)) {
      if (!["field", "op", "value"].includes(key))
        this.#wrong([...path, key], "is not part of a rule. Known: all, any, not, field, op, value.");
    }
    const kind = typeof field === "string" ? kindOf(field) : undefined;
    if (!kind)
      this.#wrong([...path, "field"], `must be one of ${Object.keys(fields).join(", ")}, or attributes. and a path`);
    if (!ops.includes(op as Op)) this.#wrong([...path, "op"], `must be one of ${ops.join(", ")}`);
    else if (kind && !opsOf[kind].includes(op as Op))
      this.#wrong([...path, "op"], `must be one of ${opsOf[kind].join(", ")} for ${String(field)}`);
    if (!kind || this.issues.length > before) return undefined;
    const value = Object.hasOwn(given, "value") ? given["value"] : undefined;
    return this.#compared({ field: field as string, op: op as Op }, kind, value, [...path, "value"]);
  }

  #compared(leaf: Comparison, kind: FieldKind, value: unknown, path: Path): Comparison | undefined {
    const { field, op } = leaf;
    const known = this.issues.length;
    const read = readOperand(field, kind, op, value);
    if (Array.isArray(read)) for (const { at, message } of read) this.#wrong([...path, ...at], message);
    if (this.issues.length > known) return undefined;
    if (op === "contains" && kind !== "groups" && typeof value === "string") {
      const before = this.#patterns;
      this.#patterns += value.length;
      if (this.#patterns > maxPatterns)
        return before <= maxPatterns
          ? this.#wrong([], `must hold at most ${maxPatterns} characters behind contains, in all comparisons together`)
          : undefined;
    }
    if (op === "exists") return value === undefined ? leaf : { ...leaf, value: value as boolean };
    return { ...leaf, value: normal(field, value as Operand) };
  }

  #wrong(path: Path, message: string): undefined {
    if (this.issues.length < maxIssues) this.issues.push({ path, message });
  }
}

interface Wrong {
  at: Path;
  message: string;
}

/** Returns what is wrong with the value of a comparison. */
function readOperand(field: string, kind: FieldKind, op: Op, value: unknown): Wrong[] {
  const wrong = (message: string | undefined): Wrong[] => (message === undefined ? [] : [{ at: [], message }]);
  switch (op) {
    case "exists":
      return value === undefined || typeof value === "boolean" ? [] : wrong("must be true or false, or be left out");
    case "before":
    case "after":
      return typeof value === "string" && value.length <= maxText && isTimeOperand(value)
        ? []
        : wrong(
            "must be a date such as 2026-09-30, a time with its zone, or relative to now: now, now-30d, now+12h (h, d, w, mo, y)",
          );
    case "gt":
    case "gte":
    case "lt":
    case "lte":
      return wrong(
        typeof value === "number" ? wrongScalar(value) : "must be a number; compare dates with before and after",
      );
    case "startsWith":
    case "endsWith":
      return wrong(wrongText(value));
    case "contains":
      return wrong(
        kind === "groups"
          ? wrongGroup(value)
          : kind === "text" || typeof value === "string"
            ? wrongText(value)
            : wrongScalar(value),
      );
    case "in":
    case "notIn":
      return wrongList(field, kind, value);
    case "eq":
    case "ne":
      return wrong(wrongSingle(kind, value));
  }
}

function wrongList(field: string, kind: FieldKind, value: unknown): Wrong[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > maxValues)
    return [{ at: [], message: `must be a list of 1 to ${maxValues} values` }];
  const found: Wrong[] = [];
  for (const [index, each] of value.entries()) {
    const message =
      kind === "groups"
        ? wrongGroup(each)
        : (wrongSingle(kind, each) ??
          (typeof each === typeof value[0] ? undefined : `must be of one type with the others: ${field} has one type`));
    if (message !== undefined) found.push({ at: [index], message });
    if (found.length >= maxIssues) break;
  }
  return found;
}

function wrongSingle(kind: FieldKind, value: unknown): string | undefined {
  if (kind === "status")
    return (statuses as readonly unknown[]).includes(value) ? undefined : `must be one of ${statuses.join(", ")}`;
  if (kind === "text") return typeof value === "string" ? wrongScalar(value) : "must be a string";
  return wrongScalar(value);
}

function wrongGroup(value: unknown): string | undefined {
  return typeof value === "string" && isId("grp", value)
    ? undefined
    : "must be the id of a group, which begins with grp_";
}

function wrongText(value: unknown): string | undefined {
  if (typeof value !== "string" || value === "") return "must be a string that is not empty";
  return value.length > maxPattern ? `must have at most ${maxPattern} characters` : wrongScalar(value);
}

function wrongScalar(value: unknown): string | undefined {
  switch (typeof value) {
    case "boolean":
      return undefined;
    case "number":
      if (!Number.isFinite(value)) return "must be a number that JSON can write";
      return Number.isInteger(value) && !Number.isSafeInteger(value)
        ? "must not be a number beyond 2^53, which JSON readers round; keep such numbers as strings"
        : undefined;
    case "string":
      if (value.length > maxText) return `must have at most ${maxText} characters`;
      return value.isWellFormed() && !value.includes("\0")
        ? undefined
        : "must be text that can be stored, without NUL and without half surrogate pairs";
    default:
      return value === null
        ? "must be a string, a number, true or false; to ask for what is missing, use exists with false"
        : "must be a string, a number, true or false";
  }
}

/** Returns a value in the form in which its field is stored. */
function normal(field: string, value: Operand): Operand {
  const one = (each: Scalar): Scalar =>
    typeof each === "string" && (field === "externalId" || field === "email") ? each.normalize("NFC") : each;
  return Array.isArray(value) ? value.map(one) : one(value);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Reads own properties only, so that nothing comes from a prototype. */
const own = (given: Record<string, unknown>): { field?: unknown; op?: unknown } => ({
  ...(Object.hasOwn(given, "field") && { field: given["field"] }),
  ...(Object.hasOwn(given, "op") && { op: given["op"] }),
});
