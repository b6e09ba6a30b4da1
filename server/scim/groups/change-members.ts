import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { deleteMembers, insertMembers } from "@/server/groups/change-members";
import { feedsPolicy } from "@/server/groups/uses";
import type { Connection } from "../connection";
import { gateEach } from "../removals/gate";
import { note } from "../requests/effect";
import { trace } from "../trace";
import { changeAwaited } from "./awaited";
import { forgetLeft } from "./leaving";
import type { ResolvedDelta } from "./resolve-delta";
import { isShown } from "./shown";

/**
 * Locks the members whom a delta that clears a group removes. Call it before the group is locked: staged removals refer
 * to people, and people are locked first (server/scim/users/lock.ts). A member who
 * joins in between is locked by takeOut.
 */
export async function lockLeaving(
  ctx: TxCtx,
  connection: Connection,
  groupId: Id<"grp">,
  delta: ResolvedDelta,
): Promise<void> {
  if (!delta.clears || !(await feedsPolicy(ctx, groupId))) return;
  await activeOf(ctx, await leavingOf(ctx, connection, groupId, delta));
}

/**
 * Changes the members of a locked group by a delta, in SQL, without reading or writing other members. Removals from a
 * group that feeds a policy pass the gate, and above the limit they wait for approval. Emits group.members_added and
 * group.members_removed.
 *
 * @returns whether the provider sees a change
 */
export async function changeMembers(
  ctx: TxCtx,
  connection: Connection,
  groupId: Id<"grp">,
  delta: ResolvedDelta,
): Promise<boolean> {
  const leaving = await leavingOf(ctx, connection, groupId, delta);
  if (leaving.length > 0) await takeOut(ctx, connection, groupId, leaving);
  // Statements that do not depend on one another are sent together.
  const [unstaged, count, waiting] = await Promise.all([
    takeBack(ctx, connection, groupId, delta),
    delta.adds.length > 0 ? insertMembers(ctx, groupId, delta.adds).then((added) => added.count) : 0,
    changeAwaited(ctx, connection, groupId, delta),
  ]);
  if (unstaged > 0) {
    forgetLeft(ctx, connection, [groupId]);
    await trace(ctx, connection, "connector.removals_taken_back", "connection", { removals: unstaged });
  }
  note(ctx, "added", count);
  return waiting || leaving.length > 0 || unstaged > 0 || count > 0;
}

/** Drops the staged removals of people whom the directory adds again. @returns how many */
async function takeBack(
  ctx: TxCtx,
  connection: Connection,
  groupId: Id<"grp">,
  { adds }: ResolvedDelta,
): Promise<number> {
  if (adds.length === 0) return 0;
  const rows = await ctx.tx.sql(
    `UPDATE scim_removals SET state = 'dropped' WHERE org_id = $1 AND connector_id = $2 AND group_id = $3 AND subject_id = ANY($4::uuid[]) AND state = 'staged' RETURNING 1`,
    [ctx.orgId, connection.id, groupId, adds],
  );
  return rows.length;
}

/**
 * Removes people from a group. If it feeds a policy, the removals pass the gate and may wait. Policies apply only to
 * active people, so the membership of inactive ones does not count. If the request waits, their removals wait too, so
 * that a discard leaves the whole group as it was (docs/decisions/534).
 */
export async function takeOut(
  ctx: TxCtx,
  connection: Connection,
  groupId: Id<"grp">,
  people: Id<"sub">[],
): Promise<void> {
  const isGated = await feedsPolicy(ctx, groupId);
  const active = new Set(isGated ? await activeOf(ctx, people) : []);
  const staged = isGated
    ? await gateEach(
        ctx,
        connection,
        people.map((subjectId) => ({
          subjectId,
          cause: "member",
          groupId,
          ...(!active.has(subjectId) && { isUncounted: true }),
        })),
      )
    : [];
  const waiting = new Set(staged.map(({ subjectId }) => subjectId));
  const leaving = people.filter((id) => !waiting.has(id));
  if (leaving.length > 0) note(ctx, "removed", (await deleteMembers(ctx, groupId, leaving)).count);
}

/** Locks some people against deletion and erasure, and returns those who are active. */
async function activeOf(ctx: TxCtx, people: Id<"sub">[]): Promise<Id<"sub">[]> {
  const rows = await ctx.tx.sql<{ id: Id<"sub">; status: string }>(
    `SELECT s.id, s.status FROM unnest($2::uuid[]) AS given (id)
     CROSS JOIN LATERAL (SELECT id, status FROM subjects WHERE org_id = $1 AND id = given.id OFFSET 0 FOR KEY SHARE) s`,
    [ctx.orgId, people],
  );
  return rows.flatMap((row) => (row.status === "active" ? [row.id] : []));
}

/** Returns the members that a delta removes, among those that the provider sees. */
async function leavingOf(
  ctx: TxCtx,
  connection: Connection,
  groupId: Id<"grp">,
  { clears, adds, removes }: ResolvedDelta,
): Promise<Id<"sub">[]> {
  if (!clears && removes.length === 0) return [];
  const rows = await ctx.tx.sql<{ id: Id<"sub"> }>(clears ? allBut : among, [
    ctx.orgId,
    connection.id,
    groupId,
    clears ? adds : removes,
  ]);
  return rows.map((row) => row.id);
}

const allBut = `
SELECT m.subject_id AS id FROM group_members m
WHERE m.org_id = $1 AND m.group_id = $3 AND m.subject_id NOT IN (SELECT unnest($4::uuid[])) AND ${isShown}`;

const among = `
SELECT m.subject_id AS id FROM unnest($4::uuid[]) AS given (id)
CROSS JOIN LATERAL (SELECT subject_id, group_id, added_at FROM group_members WHERE org_id = $1 AND group_id = $3 AND subject_id = given.id OFFSET 0) m
WHERE ${isShown}`;
