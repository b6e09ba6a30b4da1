import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { deleteMemberships, insertMemberships, type Membership } from "@/server/groups/change-memberships";

/** SQL: the connectors, other than deleted ones, that list a membership, apart from connector $4. */
const others = `
  SELECT other.by_hand FROM (
    SELECT connector_id, by_hand FROM connector_memberships
    WHERE org_id = $1 AND group_id = given.group_id AND subject_id = given.subject_id AND connector_id <> $4 OFFSET 0
  ) other CROSS JOIN LATERAL (SELECT FROM connectors WHERE org_id = $1 AND id = other.connector_id AND deleted_at IS NULL OFFSET 0) live`;

const columns = (given: Membership[]) => [given.map((each) => each.group_id), given.map((each) => each.subject_id)];

/**
 * Makes people members of groups for a connector. A membership that existed before any connector listed it is
 * remembered as made by hand. Skips erased people, and groups and people that no longer exist.
 */
export async function giveMemberships(ctx: TxCtx, connectorId: Id<"con">, given: Membership[]): Promise<Membership[]> {
  const found = await ctx.tx.sql<Membership & { by_hand: boolean }>(
    `SELECT given.group_id, given.subject_id,
       coalesce((SELECT bool_or(by_hand) FROM (${others}) others), EXISTS (
         SELECT FROM group_members m WHERE m.org_id = $1 AND m.group_id = given.group_id AND m.subject_id = given.subject_id OFFSET 0)) AS by_hand
     FROM unnest($2::uuid[], $3::uuid[]) AS given (group_id, subject_id)
     CROSS JOIN LATERAL (SELECT FROM subjects WHERE org_id = $1 AND id = given.subject_id AND erased_at IS NULL OFFSET 0 FOR KEY SHARE) s
     CROSS JOIN LATERAL (SELECT FROM groups WHERE org_id = $1 AND id = given.group_id OFFSET 0 FOR KEY SHARE) g`,
    [ctx.orgId, ...columns(given), connectorId],
  );
  await insertMemberships(ctx, found);
  await ctx.tx.sql(
    `INSERT INTO connector_memberships (org_id, group_id, subject_id, connector_id, by_hand)
     SELECT $1, given.group_id, given.subject_id, $4, given.by_hand FROM unnest($2::uuid[], $3::uuid[], $5::boolean[]) AS given (group_id, subject_id, by_hand)
     ON CONFLICT DO NOTHING`,
    [ctx.orgId, ...columns(found), connectorId, found.map((each) => each.by_hand)],
  );
  ctx.tx.wrote("connector_memberships", found.length);
  return found;
}

/**
 * Ends a connector's listing of memberships. People leave the group unless another connector lists them there, or they
 * were members before any connector listed them.
 *
 * @returns the memberships that the connector had given
 */
export async function takeMemberships(ctx: TxCtx, connectorId: Id<"con">, given: Membership[]): Promise<Membership[]> {
  if (given.length === 0) return [];
  const released = await ctx.tx.sql<Membership & { leaves: boolean }>(
    `DELETE FROM connector_memberships own USING unnest($2::uuid[], $3::uuid[]) AS given (group_id, subject_id)
       CROSS JOIN LATERAL (
         SELECT ctid AS tid FROM connector_memberships WHERE org_id = $1 AND group_id = given.group_id AND subject_id = given.subject_id AND connector_id = $4 OFFSET 0
       ) held
     WHERE own.ctid = held.tid
     RETURNING given.group_id, given.subject_id, NOT own.by_hand AND NOT EXISTS (${others}) AS leaves`,
    [ctx.orgId, ...columns(given), connectorId],
  );
  await deleteMemberships(
    ctx,
    released.filter((each) => each.leaves),
  );
  return released;
}
