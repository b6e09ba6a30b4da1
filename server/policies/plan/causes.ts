import type { Query } from "@/server/core/db";
import { compileRule } from "@/server/rules/compile";
import { comparisonsOf } from "@/server/rules/rule";
import { plain, sent, type PolicySql } from "./people";

/** Most fields of a rule of which it is asked whether they are missing. */
const maxFields = 20;
/** People of whom it is asked which connectors provide them. */
const sample = 1000;
const dayMs = 86_400_000;

/**
 * Says what may be behind many removals: fields of the rule that the people who lose their credential do not have,
 * people who are inactive, and connectors of theirs that have not succeeded for a day.
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
  return [
    ...(inactive > 0 ? [`${plain(inactive)} ${people} are inactive now.`] : []),
    ...fields.flatMap((field, i) => {
      const without = row![`f${i}`] ?? 0;
      if (without === 0) return [];
      return field === "groups"
        ? [`${plain(without)} ${people} are in no group any more.`]
        : [`${field} is missing for ${plain(without)} ${people}, who had it when they got their credential.`];
    }),
  ];
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
    const days = Math.floor((plan.clock.now.getTime() - last.getTime()) / dayMs);
    return days < 1 ? [] : [`The connector ${name} was last successful ${days === 1 ? "a day" : `${days} days`} ago.`];
  });
}
