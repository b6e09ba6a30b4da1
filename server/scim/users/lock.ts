import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { lockSet } from "@/server/subjects/lock-set";
import type { Connection } from "../connection";

/**
 * Locks people before a command reads what it decides by. Every command that writes a person takes its locks in this
 * order, so that no two requests wait for each other (docs/decisions/432):
 *
 * 1. subjects; of several, in the order of server/subjects/lock-set.ts
 * 2. scim_users
 * 3. scim_groups, in the order of their ids
 * 4. the connector, by which its removals count each other
 * 5. scim_removals and connector_removals
 * 6. subject_sources
 *
 * The statements are sent without waiting for them: what is read next waits for the locks.
 *
 * Before all of them comes the lock of arrivals (server/scim/groups/pending.ts). Erasing and deleting a person begin
 * with the subject, too. A request of a group locks FOR KEY SHARE those whom it names, which waits for a change of an
 * external id (lockKey), an erasure and a deletion alone.
 */
export function lockPeople(ctx: TxCtx, connection: Connection, ids: readonly Id<"sub">[]): void {
  if (ids.length === 0) return;
  lockSet(ctx, ids, "FOR NO KEY UPDATE");
  ctx.tx.send(
    `SELECT 1 FROM (SELECT id FROM unnest($3::uuid[]) AS given (id) ORDER BY id OFFSET 0) ordered
     CROSS JOIN LATERAL (SELECT FROM scim_users WHERE org_id = $1 AND connector_id = $2 AND subject_id = ordered.id FOR UPDATE) u`,
    [ctx.orgId, connection.id, ids],
  );
}

/**
 * Locks a locked person against requests of groups that name them too, as a change of the external id does. Call it
 * before groups are locked: such a request has the person, and waits for the group.
 */
export function lockKey(ctx: TxCtx, id: Id<"sub">): void {
  ctx.tx.send(`SELECT 1 FROM subjects WHERE org_id = $1 AND id = $2 FOR UPDATE`, [ctx.orgId, id]);
}
