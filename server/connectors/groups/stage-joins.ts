import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import type { Work } from "../run/work";

/** A person whose row was applied, with the names of the groups that it lists. */
interface Listed {
  id: Id<"sub">;
  groups: string[];
}

/** Plans the memberships that a batch of applied rows adds. Leaves out those that the connector already gave. */
export async function stageJoins(ctx: TxCtx, work: Work, listed: Listed[]): Promise<void> {
  if (listed.length === 0) return;
  const joins = await ctx.tx.sql(
    `INSERT INTO connector_member_changes (org_id, run_id, group_id, subject_id, connector_id, kind, cause)
     SELECT $1, $2, link.group_id, given.id, $3, 'add', 'row'
     FROM jsonb_to_recordset($4::jsonb) AS given (id uuid, groups text[])
     CROSS JOIN LATERAL unnest(given.groups) AS named (name)
     CROSS JOIN LATERAL (SELECT group_id FROM connector_groups WHERE org_id = $1 AND connector_id = $3 AND name_key = lower(named.name) OFFSET 0) link
     WHERE NOT EXISTS (
       SELECT FROM connector_memberships m WHERE m.org_id = $1 AND m.group_id = link.group_id AND m.subject_id = given.id AND m.connector_id = $3 OFFSET 0)
     ON CONFLICT DO NOTHING RETURNING 1`,
    [ctx.orgId, work.id, work.connector_id, JSON.stringify(listed)],
  );
  ctx.tx.wrote("connector_member_changes", joins.length);
}

/** Drops the planned endings of memberships of people whose rows were rejected after all. */
export async function dropEndings(ctx: TxCtx, work: Work, ids: Id<"sub">[]): Promise<void> {
  if (ids.length === 0) return;
  await ctx.tx.sql(
    `UPDATE connector_member_changes SET state = 'dropped'
     WHERE org_id = $1 AND run_id = $2 AND subject_id = ANY($3::uuid[]) AND state IN ('planned', 'staged') AND kind = 'remove'`,
    [ctx.orgId, work.id, ids],
  );
}
