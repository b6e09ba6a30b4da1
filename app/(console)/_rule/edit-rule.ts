import { kindOf, opsOf, type FieldKind, type Op } from "@/server/rules/rule";
import type { FieldChoice, Join } from "./words";

/** A rule while it is edited: JSON of the right shape whose parts need not be valid yet. */
export type EditedRule = Record<string, unknown>;

/** A new condition. It matches nobody until a value is chosen, so that no rule matches more people by accident. */
export const newCondition: EditedRule = { field: "attributes.", op: "eq", value: "" };

/** How the parts of a node are joined; null for a condition. */
export function joinOf(node: EditedRule): Join | null {
  return (["all", "any", "not"] as const).find((join) => Object.hasOwn(node, join)) ?? null;
}

/** The parts of a node that joins parts. */
export function partsIn(node: EditedRule, join: Join): EditedRule[] {
  const inner = node[join];
  const parts = Array.isArray(inner) ? inner : [inner];
  return parts.map((part) => (isNode(part) ? part : newCondition));
}

const isNode = (part: unknown): part is EditedRule => typeof part === "object" && part !== null && !Array.isArray(part);

/** Returns the node with other parts. `not` has one part, so several parts are put into an `all`. */
export function joined(join: Join, parts: EditedRule[]): EditedRule {
  if (join !== "not") return { [join]: parts };
  return { not: parts.length === 1 ? parts[0] : { all: parts } };
}

/**
 * Returns the node with its parts joined in another way. If `not` holds a single list, the parts of that list are used.
 */
export function rejoined(node: EditedRule, from: Join, to: Join): EditedRule {
  const parts = partsIn(node, from);
  const [only] = parts;
  const inner = from === "not" && only && Array.isArray(only["all"]) ? partsIn(only, "all") : parts;
  return joined(to, inner);
}

/** What is compared, and the path of an attribute. */
export function fieldOf({ field }: EditedRule): { choice: FieldChoice; path: string } {
  const text = typeof field === "string" ? field : "";
  if (text.startsWith("attributes.")) return { choice: "attribute", path: text.slice("attributes.".length) };
  return Object.hasOwn({ status: 1, groups: 1, displayName: 1, email: 1, externalId: 1 }, text)
    ? { choice: text as FieldChoice, path: "" }
    : { choice: "attribute", path: text };
}

/** The kind of field, which decides its operators. An attribute has a kind even while its path is empty. */
export function kindIn(condition: EditedRule): FieldKind {
  const { choice, path } = fieldOf(condition);
  return choice === "attribute" ? "attribute" : (kindOf(choice) ?? kindOf(path) ?? "attribute");
}

/** Returns the operator; the first operator of the field's kind if the present one does not fit. */
export function opOf(condition: EditedRule): Op {
  const ops = opsOf[kindIn(condition)];
  return ops.find((op) => op === condition["op"]) ?? ops[0]!;
}

/** Returns the condition for another field, with an operator and a value that this field supports. */
export function withField(condition: EditedRule, choice: FieldChoice): EditedRule {
  const field = choice === "attribute" ? "attributes." : choice;
  const next = { ...condition, field };
  const op = opOf(next);
  const hasKept = kindIn(condition) === kindIn(next) && op === condition["op"];
  return { field, op, value: hasKept ? condition["value"] : firstValue(op, kindIn(next)) };
}

/** Returns the condition with another operator, and with its value in the shape that this operator takes. */
export function withOp(condition: EditedRule, op: Op): EditedRule {
  const kind = kindIn(condition);
  const before = condition["value"];
  const [first] = Array.isArray(before) ? (before as unknown[]) : [before];
  const value = shapes(op, kind)(first) ?? firstValue(op, kind);
  const isList = op === "in" || op === "notIn";
  return { ...condition, op, value: !isList ? value : Array.isArray(before) ? before : listOf(value) };
}

/** Returns the value if it fits the operator, else undefined. */
function shapes(op: Op, kind: FieldKind): (value: unknown) => unknown {
  const only = (type: string) => (value: unknown) => (typeof value === type ? value : undefined);
  switch (op) {
    case "exists":
      return only("boolean");
    case "gt":
    case "gte":
    case "lt":
    case "lte":
      return only("number");
    case "before":
    case "after":
      return (value) => (typeof value === "string" && /^(now|\d{4}-)/.test(value) ? value : undefined);
    case "startsWith":
    case "endsWith":
      return only("string");
    default:
      return kind === "attribute" ? (value) => value : only("string");
  }
}

function firstValue(op: Op, kind: FieldKind): unknown {
  const one = firstOperand(op, kind);
  return op === "in" || op === "notIn" ? (kind === "groups" ? [] : listOf(one)) : one;
}

/** An empty text is no value yet: a list without values is incomplete. */
const listOf = (value: unknown): unknown[] => (value === "" ? [] : [value]);

function firstOperand(op: Op, kind: FieldKind): unknown {
  if (op === "exists") return true;
  if (op === "before" || op === "after") return "now";
  if (["gt", "gte", "lt", "lte"].includes(op)) return 0;
  return kind === "status" ? "active" : "";
}
