import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { deleteMembers, insertMembers } from "@/server/groups/change-members";
import { feedsPolicy } from "@/server/groups/uses";
import type { Connection } from "../connection";
import type { MemberDelta } from "../protocol/member-delta";
import { gate } from "../removals/gate";
import { findUsers, type FoundUsers } from "./find-users";
import { lockArrivals } from "./pending";
import { isShown } from "./shown";

/** A MemberDelta in people of the connection. `awaited` are values that mean nobody yet. */
export interface ResolvedDelta {
  clears: boolean;
  adds: Id<"sub">[];
  removes: Id<"sub">[];
  awaited: string[];
  /** Values that wait no more: who is taken out, and who is known by now. */
  settled: string[];
}

/**
 * Finds out whom a delta means. Call it before the group is locked: where a member is unknown, it waits for users who
 * are being created, and they may wait for the group.
 */
export async function resolveDelta(ctx: TxCtx, connection: Connection, delta: MemberDelta): Promise<ResolvedDelta> {
  const values = [...delta.adds, ...delta.removes];
  let found = await findUsers(ctx, connection, values);
  if ([...delta.adds].some((value) => !found.has(value))) {
    lockArrivals(ctx, connection, "awaits");
    found = await findUsers(ctx, connection, values);
  }
  const adds = peopleOf(delta.adds, found);
  const added = new Set(adds);
  return {
    clears: delta.clears,
    adds,
    // One person may be named by id and by externalId: who is added stays.
    removes: peopleOf(delta.removes, found).filter((id) => !added.has(id)),
    awaited: [...delta.adds].filter((value) => !found.has(value)),
    settled: values.filter((value) => delta.removes.has(value) || found.has(value)),
  };
}

const peopleOf = (values: ReadonlySet<string>, found: FoundUsers): Id<"sub">[] =>
  [...new Set([...values].flatMap((value) => found.get(value) ?? []))].toSorted();

/**
 * Changes the members of a locked group by a delta, in SQL: what is not named is neither read nor written. Removals
 * from a group that feeds a policy pass the gate, and beyond the limit they wait for a person. Emits
 * group.members_added and group.members_removed.
 * @returns whether the provider sees a change
 */
export async function changeMembers(
  ctx: TxCtx,
  connection: Connection,
  groupId: Id<"grp">,
  delta: ResolvedDelta,
): Promise<boolean> {
  const waiting = await changePending(ctx, connection, groupId, delta);
  const leaving = await leavingOf(ctx, connection, groupId, delta);
  if (leaving.length > 0) await takeOut(ctx, connection, groupId, leaving);
  if (delta.adds.length === 0) return waiting || leaving.length > 0;
  const unstaged = await ctx.tx.sql(
    `UPDATE scim_removals SET state = 'dropped' WHERE org_id = $1 AND connector_id = $2 AND group_id = $3 AND subject_id = ANY($4::uuid[]) AND state = 'staged' RETURNING 1`,
    [ctx.orgId, connection.id, groupId, delta.adds],
  );
  const { count } = await insertMembers(ctx, groupId, delta.adds);
  return waiting || leaving.length > 0 || unstaged.length > 0 || count > 0;
}

/** Takes people out of a group. Beyond the limit, active people wait where the group feeds a policy. */
export async function takeOut(
  ctx: TxCtx,
  connection: Connection,
  groupId: Id<"grp">,
  people: Id<"sub">[],
): Promise<void> {
  const counted = (await feedsPolicy(ctx, groupId)) ? await activeOf(ctx, people) : [];
  const passes = await gate(
    ctx,
    connection,
    counted.map((subjectId) => ({ subjectId, cause: "member", groupId })),
  );
  const waiting = new Set(passes ? [] : counted);
  const leaving = people.filter((id) => !waiting.has(id));
  if (leaving.length > 0) await deleteMembers(ctx, groupId, leaving);
}

/** Who of some people is active: a policy means nobody else, so that the membership of others counts for nothing. */
async function activeOf(ctx: TxCtx, people: Id<"sub">[]): Promise<Id<"sub">[]> {
  const rows = await ctx.tx.sql<{ id: Id<"sub"> }>(
    `SELECT s.id FROM unnest($2::uuid[]) AS given (id)
     CROSS JOIN LATERAL (SELECT id FROM subjects WHERE org_id = $1 AND id = given.id AND status = 'active' OFFSET 0) s`,
    [ctx.orgId, people],
  );
  return rows.map((row) => row.id);
}

/** Who of the members that the provider sees is taken out. */
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
CROSS JOIN LATERAL (SELECT subject_id, group_id FROM group_members WHERE org_id = $1 AND group_id = $3 AND subject_id = given.id OFFSET 0) m
WHERE ${isShown}`;

/** Keeps members who are unknown yet, and forgets those who were and are not wanted any more. */
async function changePending(
  ctx: TxCtx,
  connection: Connection,
  groupId: Id<"grp">,
  { clears, awaited, settled }: ResolvedDelta,
): Promise<boolean> {
  let changed = false;
  if (clears || settled.length > 0) {
    const forgotten = await ctx.tx.sql(
      `DELETE FROM scim_pending_members WHERE org_id = $1 AND group_id = $2 AND CASE WHEN $3 THEN value <> ALL($4::text[]) ELSE value = ANY($4::text[]) END RETURNING 1`,
      [ctx.orgId, groupId, clears, clears ? awaited : settled],
    );
    changed = forgotten.length > 0;
  }
  if (awaited.length === 0) return changed;
  const kept = await ctx.tx.sql(
    `INSERT INTO scim_pending_members (org_id, group_id, connector_id, value, created_at)
     SELECT $1, $2, $3, given.value, $5 FROM unnest($4::text[]) AS given (value) ON CONFLICT DO NOTHING RETURNING 1`,
    [ctx.orgId, groupId, connection.id, awaited, ctx.now],
  );
  ctx.tx.wrote("scim_pending_members", kept.length);
  return changed || kept.length > 0;
}
