import type { Query } from "@/server/core/db";
import { publicId, readId, type Id } from "@/server/core/ids";
import { compileRule } from "@/server/rules/compile";
import { fieldsNeeded } from "@/server/rules/fields-needed";
import { comparisonsOf, kindOf, pathOf, type Comparison, type Rule } from "@/server/rules/rule";
import { plain, sent, type PolicySql } from "./people";

/** How many fields of a rule are examined. */
const maxFields = 20;
/** How many people are checked for the connectors that provide them. */
const sample = 1000;
const dayMs = 86_400_000;

/** Formats how long ago something was: in hours below a day, else in days. */
function daysAgo(at: Date, now: Date): string {
  const hours = Math.floor((now.getTime() - at.getTime()) / 3_600_000);
  const days = Math.floor(hours / 24);
  if (hours < 1) return "less than an hour ago";
  if (days < 1) return hours === 1 ? "an hour ago" : `${hours} hours ago`;
  return days === 1 ? "a day ago" : `${days} days ago`;
}

/**
 * Returns likely causes of many removals: a rule that was changed, people who became inactive, exceptions, fields of the
 * rule that are missing or have another value, groups that people have left, and connectors whose last success is more
 * than a day old (docs/decisions/582).
 */
export async function causesOf(sql: Query, fresh: () => PolicySql): Promise<string[]> {
  const last = await lastRun(sql, fresh());
  return [
    ...(last && !last.alike ? [`The rule was changed since this policy last ran, ${last.ago}.`] : []),
    ...(await changesOfPeople(sql, fresh(), last)),
    ...(await silentConnectors(sql, fresh())),
  ];
}

interface LastRun {
  /** Whether it decided by today's rule or group. */
  alike: boolean;
  ago: string;
}

/** The last successful run: people who have held a credential since then matched its rule. */
async function lastRun(sql: Query, { values, policyId, config, clock }: PolicySql): Promise<LastRun | null> {
  const [last] = await sql<{ at: Date; alike: boolean }>(
    `SELECT evaluated_at AS at, config -> 'rule' = $3::jsonb AND config -> 'groupId' = $4::jsonb AS alike FROM policy_runs
     WHERE org_id = $1 AND policy_id = $2 AND status = 'completed' ORDER BY id DESC LIMIT 1`,
    [values[0], policyId, JSON.stringify(config.rule), JSON.stringify(config.groupId)],
  );
  return last ? { alike: last.alike, ago: daysAgo(last.at, clock.now) } : null;
}

/** The most frequent value among people for whom a field does not match. */
interface Commonest {
  value: string | null;
  type: string;
  n: number;
}

/** Per field of the rule: `without`, the people who lack it; `unmatched`, those who have it but meet none of its comparisons. */
interface Field {
  field: string;
  without: number;
  unmatched: number;
  commonest: Commonest | null;
}

interface Counted {
  n: number;
  inactive: number;
  denied: number;
  ended: number;
  fields: Field[];
}

async function changesOfPeople(sql: Query, plan: PolicySql, last: LastRun | null): Promise<string[]> {
  const rule: Rule = plan.config.rule ?? {
    field: "groups",
    op: "contains",
    value: publicId("grp", plan.config.groupId!),
  };
  const needed = fieldsNeeded(rule);
  const comparisons = Map.groupBy(
    comparisonsOf(rule).filter(({ comparison: { field } }) => field !== "status"),
    ({ comparison }) => comparison.field,
  );
  const fields = [...comparisons].slice(0, maxFields);
  const { n, inactive, denied, ended, fields: counted } = await count(sql, plan, needed, fields);
  const people = `of the ${plain(n)} people`;
  const groups = await namesOf(sql, plan, comparisons.get("groups") ?? []);
  const told: string[] = [];
  if (inactive > 0) told.push(`${plain(inactive)} ${people} ${inactive === 1 ? "is" : "are"} inactive now.`);
  if (denied > 0)
    told.push(`${plain(denied)} ${people} ${denied === 1 ? "has" : "have"} an exception that denies the credential.`);
  if (ended > 0) told.push(`${plain(ended)} ${people} had the credential by an exception that has ended.`);
  for (const { field, without, unmatched, commonest } of counted) {
    if (field === "groups") {
      if (unmatched > 0) told.push(`${plain(unmatched)} ${people} ${unmatched === 1 ? "is" : "are"} ${groups}.`);
      continue;
    }
    const had = last?.alike && needed.has(field) ? `, who had it when this policy last ran, ${last.ago}` : "";
    if (without > 0) told.push(`${field} is missing for ${plain(without)} ${people}${had}.`);
    if (unmatched > 0) told.push(unmatchedField(field, `${plain(unmatched)} ${people}`, unmatched, commonest));
  }
  return told;
}

function unmatchedField(field: string, who: string, unmatched: number, commonest: Commonest | null): string {
  if (!commonest || commonest.n * 2 < unmatched) return `${field} does not match for ${who}.`;
  const is = `${field} is ${valueWords(commonest)}`;
  return commonest.n === unmatched
    ? `${is} for ${who}, which does not match.`
    : `${field} does not match for ${who}: for ${plain(commonest.n)} it is ${valueWords(commonest)}.`;
}

/** A text that looks like a number is a common mistake of feeds, so each type is written differently. */
function valueWords({ value, type }: Commonest): string {
  if (type === "string") return `the text “${value}”`;
  if (type === "array") return "a list";
  return type === "object" ? "an object" : `the ${type === "number" ? "number" : "value"} ${value}`;
}

type Comparisons = ReturnType<typeof comparisonsOf>;

/** Reads once the people whose credential ends now or after the days of grace, and counts possible causes. */
async function count(
  sql: Query,
  plan: PolicySql,
  needed: Set<string>,
  fields: [string, Comparisons][],
): Promise<Counted> {
  const compiled = (rule: Rule) => compileRule(rule, plan.clock, plan.parameter);
  const exits = plan.exits({ grace: false });
  const exception = plan.exceptionOf("s.id");
  const each = fields.map(([field, all]) => {
    const absent = field === "groups" ? "false" : compiled({ field, op: "exists", value: false });
    // Only fields that the rule needs: with `any`, most people never met most comparisons.
    const isUnmet = needed.has(field)
      ? `NOT ${absent} AND ${all.map(({ path, comparison }) => `(${compiled(comparison)}) IS NOT ${isUnderNot(path) ? "FALSE" : "TRUE"}`).join(" AND ")}`
      : "false";
    const isUnmatched = `s.effect IS NULL AND s.status = 'active' AND ${isUnmet}`;
    const keys = kindOf(field) === "attribute" ? pathOf(field).map((key) => plan.parameter(key)) : null;
    const commonest = keys
      ? `(SELECT json_build_object('value', left(regexp_replace(value #>> '{}', '\\s+', ' ', 'g'), 60), 'type', jsonb_typeof(value), 'n', n)
          FROM (SELECT s.attributes #> ARRAY[${keys.join(", ")}]::text[] AS value, count(*) AS n FROM lost s WHERE ${isUnmatched} GROUP BY 1 ORDER BY n DESC LIMIT 1) top WHERE n > 1)`
      : "NULL";
    return `json_build_object('field', ${plan.parameter(field)}::text, 'without', count(*) FILTER (WHERE ${absent}), 'unmatched', count(*) FILTER (WHERE ${isUnmatched}), 'commonest', ${commonest})`;
  });
  const [row] = await sql<Counted>(
    `WITH lost AS MATERIALIZED (
       SELECT s.*, ${exception} AS effect FROM (${exits}) ended
       CROSS JOIN LATERAL (SELECT * FROM subjects WHERE org_id = $1 AND id = ended.subject_id OFFSET 0) s
     )
     SELECT count(*) AS n, count(*) FILTER (WHERE s.status <> 'active') AS inactive,
       count(*) FILTER (WHERE s.status = 'active' AND s.effect = 'deny') AS denied, count(*) FILTER (WHERE s.status = 'active' AND s.effect = 'ended') AS ended,
       json_build_array(${each.join(", ")}) AS fields FROM lost s`,
    ...sent(plan),
  );
  return row!;
}

const isUnderNot = (path: Comparisons[number]["path"]): boolean => path.filter((key) => key === "not").length % 2 === 1;

/** Says which groups people are not in, or are in though the rule excludes them. */
async function namesOf(sql: Query, { values }: PolicySql, all: Comparisons): Promise<string> {
  const isAbsence = ({ path, comparison: { op, value } }: Comparisons[number]) =>
    isUnderNot(path) !== (op === "notIn" || (op === "exists" && value === false));
  const being = all.every(isAbsence) ? "in" : "not in";
  const ids = all.flatMap(({ comparison }) => groupIds(comparison));
  if (ids.length === 0) return being === "in" ? "in a group" : "in no group any more";
  const rows = await sql<{ name: string }>(
    `SELECT g.name FROM unnest($2::uuid[]) AS given (id) CROSS JOIN LATERAL (SELECT name FROM groups WHERE org_id = $1 AND id = given.id OFFSET 0) g ORDER BY g.name`,
    [values[0], [...new Set(ids)]],
  );
  const names = rows.slice(0, 3).map(({ name }) => name);
  const more = rows.length > names.length ? ` or ${plain(rows.length - names.length)} more` : "";
  return `${being} ${names.length > 1 ? "one of the groups" : "the group"} ${names.join(", ")}${more}`;
}

const groupIds = ({ op, value }: Comparison): Id<"grp">[] =>
  op === "exists" ? [] : [value as string | string[]].flat().map((id) => readId("grp", id as `grp_${string}`));

async function silentConnectors(sql: Query, plan: PolicySql): Promise<string[]> {
  const limit = plan.parameter(sample);
  const exits = plan.exits({ grace: false });
  const rows = await sql<{ name: string; last: Date | null }>(
    `SELECT c.name, (
       SELECT run.finished_at FROM connector_runs run WHERE run.org_id = $1 AND run.connector_id = c.id AND run.status = 'succeeded' ORDER BY run.id DESC LIMIT 1
     ) AS last
     FROM (
       SELECT DISTINCT o.source_id FROM (SELECT subject_id FROM (${exits}) all_ended LIMIT ${limit}) ended
       CROSS JOIN LATERAL (SELECT source_id FROM subject_sources WHERE org_id = $1 AND subject_id = ended.subject_id AND type = 'connector' OFFSET 0) o
     ) source
     CROSS JOIN LATERAL (SELECT id, name FROM connectors WHERE org_id = $1 AND id = source.source_id AND deleted_at IS NULL OFFSET 0) c
     ORDER BY c.name`,
    ...sent(plan),
  );
  return rows.flatMap(({ name, last }) => {
    if (!last) return [`The connector ${name} has never run to its end.`];
    return plan.clock.now.getTime() - last.getTime() < dayMs
      ? []
      : [`The connector ${name} was last successful ${daysAgo(last, plan.clock.now)}.`];
  });
}
