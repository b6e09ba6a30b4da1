import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import type { Membership } from "@/server/groups/change-memberships";
import { advance, type Work } from "../run/work";
import { giveMemberships, takeMemberships } from "./give-and-take";

/** How many memberships a step changes. */
const setSize = 5_000;

interface Planned extends Membership {
  kind: "add" | "remove";
  cause: "row" | "missing";
  counted: boolean;
}

/**
 * Carries out the next batch of planned changes of memberships, in the order of the groups, so that each group gets few
 * events. Emits group.members_added and group.members_removed.
 *
 * @returns false if there were none left
 */
export async function changeMemberships(ctx: TxCtx, work: Work): Promise<boolean> {
  const { group_id, subject_id } = work.progress.regrouped ?? {};
  const planned = await ctx.tx.sql<Planned>(
    `SELECT group_id, subject_id, kind, cause, counted FROM connector_member_changes
     WHERE org_id = $1 AND run_id = $2 AND ($3::uuid IS NULL OR (group_id, subject_id) > ($3, $4::uuid)) AND state = 'planned'
     ORDER BY group_id, subject_id LIMIT $5`,
    [ctx.orgId, work.id, group_id ?? null, subject_id ?? null, setSize],
  );
  const last = planned.at(-1);
  if (!last) return false;
  const given = await giveMemberships(
    ctx,
    work.connector_id,
    planned.filter(({ kind }) => kind === "add"),
  );
  const taken = await takeMemberships(
    ctx,
    work.connector_id,
    planned.filter(({ kind }) => kind === "remove"),
  );
  const done = new Set([...given, ...taken].map(keyOf));
  await recordDone(ctx, work, planned, done);
  const missing = new Set(planned.filter(({ cause }) => cause === "missing").map((each) => each.subject_id));
  const updated = await noteRegrouped(ctx, work, [...new Set([...given, ...taken].map((each) => each.subject_id))]);
  const listed = updated.filter((id) => !missing.has(id)).length;
  await advance(
    ctx,
    work,
    { phase: "grouping", progress: { regrouped: { group_id: last.group_id, subject_id: last.subject_id } } },
    {
      updated: updated.length,
      // They were counted as unchanged when their rows were applied.
      unchanged: -listed,
      held: work.approved ? -planned.filter(({ counted }) => counted).length : 0,
    },
  );
  return true;
}

const keyOf = ({ group_id, subject_id }: Membership) => `${group_id} ${subject_id}`;

async function recordDone(ctx: TxCtx, work: Work, planned: Planned[], done: Set<string>): Promise<void> {
  await ctx.tx.sql(
    `UPDATE connector_member_changes SET state = CASE WHEN given.done THEN 'applied' ELSE 'dropped' END, applied_at = CASE WHEN given.done THEN $6::timestamptz END
     FROM unnest($3::uuid[], $4::uuid[], $5::boolean[]) AS given (group_id, subject_id, done)
     CROSS JOIN LATERAL (
       SELECT ctid AS tid FROM connector_member_changes WHERE org_id = $1 AND run_id = $2 AND group_id = given.group_id AND subject_id = given.subject_id OFFSET 0
     ) held WHERE connector_member_changes.ctid = held.tid`,
    [
      ctx.orgId,
      work.id,
      planned.map((each) => each.group_id),
      planned.map((each) => each.subject_id),
      planned.map((each) => done.has(keyOf(each))),
      ctx.now,
    ],
  );
}

/**
 * Records that the run changed these people, although it wrote none of their fields.
 *
 * @returns those whom it had not changed otherwise
 */
async function noteRegrouped(ctx: TxCtx, work: Work, ids: Id<"sub">[]): Promise<Id<"sub">[]> {
  const rows = await ctx.tx.sql<{ id: Id<"sub"> }>(
    `INSERT INTO connector_changes (org_id, run_id, subject_id, before, adopted)
     SELECT $1, $2, given.id, '{}', false FROM unnest($3::uuid[]) AS given (id) ON CONFLICT DO NOTHING RETURNING subject_id AS id`,
    [ctx.orgId, work.id, ids],
  );
  ctx.tx.wrote("connector_changes", rows.length);
  return rows.map(({ id }) => id);
}

/** Ends the memberships that the connector gave to people whom it deactivates because they are missing. */
export async function endMemberships(ctx: TxCtx, work: Work, ids: Id<"sub">[]): Promise<void> {
  if (ids.length === 0) return;
  const owned = await ctx.tx.sql<Membership>(
    `SELECT group_id, subject_id FROM connector_memberships WHERE org_id = $1 AND connector_id = $2 AND subject_id = ANY($3::uuid[])`,
    [ctx.orgId, work.connector_id, ids],
  );
  const taken = await takeMemberships(ctx, work.connector_id, owned);
  await ctx.tx.sql(
    `INSERT INTO connector_member_changes (org_id, run_id, group_id, subject_id, connector_id, kind, cause, state, applied_at)
     SELECT $1, $2, given.group_id, given.subject_id, $3, 'remove', 'missing', 'applied', $6 FROM unnest($4::uuid[], $5::uuid[]) AS given (group_id, subject_id)
     ON CONFLICT DO NOTHING`,
    [
      ctx.orgId,
      work.id,
      work.connector_id,
      taken.map((each) => each.group_id),
      taken.map((each) => each.subject_id),
      ctx.now,
    ],
  );
}
