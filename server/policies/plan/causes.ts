import type { Query } from "@/server/core/db";
import { compileRule } from "@/server/rules/compile";
import { fieldsNeeded } from "@/server/rules/fields-needed";
import { comparisonsOf } from "@/server/rules/rule";
import { plain, sent, type PolicySql } from "./people";

/** How many fields of a rule are checked for missing values. */
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
 * Returns likely causes of many removals: fields of the rule that are missing, people who became inactive, and connectors
 * whose last success is more than a day old.
 */
export async function causesOf(sql: Query, fresh: () => PolicySql): Promise<string[]> {
  return [...(await missingFields(sql, fresh())), ...(await silentConnectors(sql, fresh()))];
}

async function missingFields(sql: Query, plan: PolicySql): Promise<string[]> {
  const { rule } = plan.config;
  const fields = rule
    ? [...new Set(comparisonsOf(rule).map(({ comparison }) => comparison.field))]
        .filter((field) => field !== "status")
        .slice(0, maxFields)
    : [];
  const missing = fields.map((field, i) => {
    const absent = compileRule({ field, op: "exists", value: false }, plan.clock, plan.parameter);
    return `count(*) FILTER (WHERE ${absent}) AS f${i}`;
  });
  const exits = plan.exits({ grace: false });
  const [row] = await sql<Record<string, number>>(
    `SELECT count(*) AS n, count(*) FILTER (WHERE s.status <> 'active') AS inactive${missing.map((each) => `, ${each}`).join("")}
     FROM (${exits}) ended CROSS JOIN LATERAL (SELECT * FROM subjects WHERE org_id = $1 AND id = ended.subject_id OFFSET 0) s`,
    ...sent(plan),
  );
  const { n = 0, inactive = 0 } = row!;
  const people = `of the ${plain(n)} people`;
  const needed = rule ? fieldsNeeded(rule) : new Set();
  const had = await lastMeant(sql, plan);
  return [
    ...(inactive > 0 ? [`${plain(inactive)} ${people} are inactive now.`] : []),
    ...fields.flatMap((field, i) => {
      const without = row![`f${i}`] ?? 0;
      if (without === 0) return [];
      return field === "groups"
        ? [`${plain(without)} ${people} are in no group any more.`]
        : [
            `${field} is missing for ${plain(without)} ${people}${had && needed.has(field) ? `, who had it ${had}` : ""}.`,
          ];
    }),
  ];
}

/** When the people whose credential a run ends last matched today's rule: whoever matched it had the fields that it needs. */
async function lastMeant(sql: Query, { values, policyId, config, clock }: PolicySql): Promise<string> {
  const [last] = await sql<{ at: Date; alike: boolean }>(
    `SELECT evaluated_at AS at, config -> 'rule' = $3::jsonb AS alike FROM policy_runs
     WHERE org_id = $1 AND policy_id = $2 AND status = 'completed' ORDER BY id DESC LIMIT 1`,
    [values[0], policyId, JSON.stringify(config.rule)],
  );
  return last?.alike ? `when this policy last ran, ${daysAgo(last.at, clock.now)}` : "";
}

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
