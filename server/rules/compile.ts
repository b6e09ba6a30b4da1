import { readId } from "@/server/core/ids";
import type { Parameter } from "@/server/core/list-filters";
import { opaque } from "@/server/core/opaque";
import { isComparison, kindOf, pathOf, type Comparison, type Rule, type Scalar } from "./rule";
import { dayForm, instantForm, momentOf, type Clock } from "./times";

/**
 * Compiles a rule to one SQL predicate over `subjects s` of the organisation `$1`. TRUE is a match; FALSE and NULL are
 * not. An erased person never matches. Every value is a parameter, and the statement holds no text from the rule. Send
 * it unprepared, because each rule has another statement.
 *
 * @example const where = compileRule(rule, clock, (value) => `$${values.push(value)}`); // values starts as [orgId]
 */
export function compileRule(rule: Rule, clock: Clock, parameter: Parameter): string {
  return `(s.erased_at IS NULL AND ${predicate(rule, { clock, parameter, isNegated: false })})`;
}

interface Compiling {
  clock: Clock;
  parameter: Parameter;
  /** Whether the part is inside a `not`, which turns FALSE, unlike NULL, into a match. */
  isNegated: boolean;
}

function predicate(rule: Rule, compiling: Compiling): string {
  if (isComparison(rule)) return comparison(rule, compiling);
  if ("not" in rule) return `(NOT ${predicate(rule.not, { ...compiling, isNegated: true })})`;
  const [parts, joint] = "all" in rule ? [rule.all, " AND "] : [rule.any, " OR "];
  return `(${parts.map((part) => predicate(part, compiling)).join(joint)})`;
}

/**
 * The text columns. An empty name counts as missing, like an e-mail address that is null. E-mail addresses ignore the
 * case of ASCII letters.
 */
const columns: Record<string, string> = {
  status: "s.status",
  email: `lower(s.email COLLATE "C")`,
  externalId: "s.external_id",
  displayName: "nullif(s.display_name, '')",
};

function comparison(leaf: Comparison, compiling: Compiling): string {
  switch (kindOf(leaf.field)) {
    case "groups":
      return membership(leaf, compiling.parameter);
    case "attribute":
      return attribute(leaf, compiling);
    default:
      return column(leaf, compiling.parameter);
  }
}

function column({ field, op, value }: Comparison, parameter: Parameter): string {
  const stored = columns[field]!;
  if (op === "exists") return `(${stored} IS ${value === false ? "" : "NOT "}NULL)`;
  const given = [value as Scalar | Scalar[]].flat().map((each) => (field === "email" ? lowered(String(each)) : each));
  return text(stored, op, given as string[], parameter);
}

/** Lowercases ASCII letters, as PostgreSQL's lower() does in the collation "C". */
export const lowered = (address: string): string => address.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Compares texts; NULL if the stored one is NULL. */
function text(stored: string, op: Comparison["op"], given: string[], parameter: Parameter): string {
  const one = () => `${parameter(given[0])}::text`;
  switch (op) {
    case "eq":
      return `(${stored} = ${one()})`;
    case "ne":
      return `(${stored} <> ${one()})`;
    case "in":
      return `(${stored} = ANY(${parameter(given)}::text[]))`;
    case "notIn":
      return `(${stored} <> ALL(${parameter(given)}::text[]))`;
    case "startsWith":
      return `starts_with(${stored}, ${one()})`;
    case "endsWith": {
      const end = one();
      return `(right(${stored}, length(${end})) = ${end})`;
    }
    default:
      return `(strpos(${stored}, ${one()}) > 0)`;
  }
}

/**
 * Compares membership of groups that people and feeds fill; a rule group never counts, so that rules do not depend on
 * each other. OFFSET 0 keeps PostgreSQL from joining: each person is looked up by the whole key, even before statistics
 * know the organisation (docs/decisions/143).
 */
function membership({ op, value }: Comparison, parameter: Parameter): string {
  if (op === "exists")
    return `(${value === false ? "NOT " : ""}EXISTS (SELECT FROM group_members m WHERE m.org_id = $1 AND m.subject_id = s.id AND (${kindOfGroup}) = 'static' OFFSET 0))`;
  const ids = [value as string | string[]].flat().map((id) => readId("grp", id));
  return `(${op === "notIn" ? "NOT " : ""}EXISTS (SELECT FROM group_members m WHERE m.org_id = $1 AND m.group_id = ANY(${parameter(ids)}::uuid[]) AND m.subject_id = s.id OFFSET 0))`;
}

const kindOfGroup = `SELECT g.kind FROM groups g WHERE g.org_id = ${opaque("$1")} AND g.id = m.group_id OFFSET 0`;

/** Compares an attribute; NULL if it is missing, null, or of a type that cannot be compared with the value. */
function attribute({ field, op, value }: Comparison, { clock, parameter, isNegated }: Compiling): string {
  const path = pathOf(field).map((key) => `${parameter(key)}::text`);
  const last = path.pop()!;
  const holder = ["s.attributes", ...path].join(" -> ");
  const json = `(${holder} -> ${last})`;
  const content = `(${holder} ->> ${last})`;
  const ofType = (type: string, outcome: string) => `CASE WHEN jsonb_typeof(${json}) = '${type}' THEN ${outcome} END`;
  const single = value as Scalar;
  switch (op) {
    case "exists":
      return `(${content} IS ${value === false ? "" : "NOT "}NULL)`;
    case "eq":
    case "ne": {
      const compared = `${json} ${op === "eq" ? "=" : "<>"} ${parameter(JSON.stringify(single))}::jsonb`;
      // Equal values are of one type. Without the check of the type, a rule over a million people takes a third less time.
      return op === "eq" && !isNegated ? `(${compared})` : `(${ofType(typeof single, compared)})`;
    }
    case "in":
    case "notIn": {
      const values = value as Scalar[];
      const found = `${parameter(JSON.stringify(values))}::jsonb @> ${json}`;
      return `(${ofType(typeof values[0], op === "in" ? found : `NOT ${found}`)})`;
    }
    case "contains": {
      const held = `WHEN jsonb_typeof(${json}) = 'array' THEN ${json} @> jsonb_build_array(${parameter(JSON.stringify(single))}::jsonb)`;
      const within =
        typeof single === "string"
          ? `WHEN jsonb_typeof(${json}) = 'string' THEN ${text(content, op, [single], parameter)}`
          : "";
      return `(CASE ${held} ${within} END)`;
    }
    case "startsWith":
    case "endsWith":
      return `(${ofType("string", text(content, op, [single as string], parameter))})`;
    case "gt":
    case "gte":
    case "lt":
    case "lte":
      return `(${ofType("number", `${json}::numeric ${signs[op]} ${parameter(String(single))}::numeric`)})`;
    case "before":
    case "after":
      return `(${ofType("string", time(content, op, single as string, clock, parameter))})`;
  }
}

const signs = { gt: ">", gte: ">=", lt: "<", lte: "<=" };

/** Compares a text with a moment if it is a date or a time; PostgreSQL checks whether it is on the calendar. */
function time(content: string, op: "before" | "after", operand: string, clock: Clock, parameter: Parameter): string {
  const { instant, lastDayNotAfter, firstDayNotBefore } = momentOf(operand, clock);
  const sign = op === "after" ? ">" : "<";
  const day = `${parameter(op === "after" ? lastDayNotAfter : firstDayNotBefore)}::text`;
  // To the millisecond, as in evaluate.ts.
  const cut = `regexp_replace(${content}, '(\\.[0-9]{3})[0-9]+', '\\1')`;
  return `CASE
    WHEN ${content} ~ '^${dayForm}$' THEN CASE WHEN pg_input_is_valid(${content}, 'date') THEN ${content} COLLATE "C" ${sign} ${day} END
    WHEN ${content} ~ '^${instantForm}$' THEN CASE WHEN pg_input_is_valid(${cut}, 'timestamptz') THEN ${cut}::timestamptz ${sign} ${parameter(instant)}::timestamptz END
  END`;
}
