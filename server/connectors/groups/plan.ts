import type { TxCtx } from "@/server/core/context";
import { keptAgainstStatus } from "../run/elsewhere";
import type { Work } from "../run/work";
import { guardedGroups } from "./guarded-groups";

/** How many memberships a file would end that count against the limit, by why they end. */
export interface EndingMemberships {
  /** The file lists the person without the group. */
  row: number;
  /** A full file does not list the person, whom another source keeps active. */
  missing: number;
}

/**
 * Plans which memberships of the connector a file ends, after its deactivations were planned. A membership counts
 * against the limit if the person is active and a policy depends on the group, unless the file also deactivates the
 * person (docs/decisions/509).
 */
export async function planEndings(ctx: TxCtx, work: Work): Promise<EndingMemberships> {
  const feeding = await guardedGroups(ctx, work.connector_id);
  const given = [ctx.orgId, work.id, work.connector_id, feeding];
  await ctx.tx.sql(byRow, given);
  if (work.config.mode === "full" && work.config.missing === "deactivate") await ctx.tx.sql(byAbsence, given);
  const counts = await ctx.tx.sql<{ cause: keyof EndingMemberships; n: number }>(
    `SELECT cause, count(*) AS n FROM connector_member_changes WHERE org_id = $1 AND run_id = $2 AND counted AND state = 'planned' GROUP BY cause`,
    [ctx.orgId, work.id],
  );
  return { row: 0, missing: 0, ...Object.fromEntries(counts.map(({ cause, n }) => [cause, n])) };
}

/** Holds the planned endings of memberships that policies depend on. They wait for approval with the run. */
export async function holdEndings(ctx: TxCtx, work: Work): Promise<void> {
  await ctx.tx.sql(
    `UPDATE connector_member_changes SET state = 'staged' WHERE org_id = $1 AND run_id = $2 AND guarded AND state = 'planned'`,
    [ctx.orgId, work.id],
  );
}

// Only the first row of a person counts. A rejected row has no groups, so it ends nothing.
const byRow = `
INSERT INTO connector_member_changes (org_id, run_id, group_id, subject_id, connector_id, kind, cause, guarded, counted)
SELECT $1, $2, m.group_id, m.subject_id, $3, 'remove', 'row', due.guarded, due.guarded AND NOT (r.ends AND NOT ${keptAgainstStatus("m.subject_id")})
FROM connector_memberships m
CROSS JOIN LATERAL (SELECT key FROM subject_sources WHERE org_id = $1 AND subject_id = m.subject_id AND type = 'connector' AND source_id = $3 OFFSET 0) o
CROSS JOIN LATERAL (
  SELECT groups, coalesce(fields ->> 'status' = 'inactive', false) AS ends FROM connector_rows WHERE org_id = $1 AND run_id = $2 AND key = o.key ORDER BY line LIMIT 1
) r
CROSS JOIN LATERAL (SELECT status = 'active' AND m.group_id = ANY($4::uuid[]) AS guarded FROM subjects WHERE org_id = $1 AND id = m.subject_id OFFSET 0) due
WHERE m.org_id = $1 AND m.connector_id = $3 AND r.groups IS NOT NULL
  AND NOT EXISTS (
    SELECT FROM unnest(r.groups) AS given (name)
    CROSS JOIN LATERAL (SELECT group_id FROM connector_groups WHERE org_id = $1 AND connector_id = $3 AND name_key = lower(given.name) OFFSET 0) link
    WHERE link.group_id = m.group_id)
ON CONFLICT DO NOTHING`;

// People who are deactivated as missing leave the groups with the deactivation (run/remove.ts).
const byAbsence = `
INSERT INTO connector_member_changes (org_id, run_id, group_id, subject_id, connector_id, kind, cause, guarded, counted)
SELECT $1, $2, m.group_id, m.subject_id, $3, 'remove', 'missing', due.guarded, due.guarded
FROM connector_memberships m
CROSS JOIN LATERAL (SELECT key FROM subject_sources WHERE org_id = $1 AND subject_id = m.subject_id AND type = 'connector' AND source_id = $3 OFFSET 0) o
CROSS JOIN LATERAL (SELECT status = 'active' AND m.group_id = ANY($4::uuid[]) AS guarded FROM subjects WHERE org_id = $1 AND id = m.subject_id OFFSET 0) due
WHERE m.org_id = $1 AND m.connector_id = $3
  AND NOT EXISTS (SELECT FROM connector_rows r WHERE r.org_id = $1 AND r.run_id = $2 AND r.key = o.key OFFSET 0)
  AND NOT EXISTS (SELECT FROM connector_removals gone WHERE gone.org_id = $1 AND gone.run_id = $2 AND gone.subject_id = m.subject_id OFFSET 0)
ON CONFLICT DO NOTHING`;
