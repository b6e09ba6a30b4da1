import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import type { Connection } from "../connection";
import { badRequest } from "../protocol/error";
import { note } from "../requests/effect";
import { hasWaiting } from "./leaving";
import { trace } from "../trace";
import type { ResolvedDelta } from "./resolve-delta";

/** The most unknown members that wait in one group, and in all groups of a connection. */
export const mostAwaited = { group: 10_000, connection: 100_000 };

/**
 * Stores the unknown members of a delta, and deletes those that were removed or are known now. If removals from the
 * group wait for approval, removed unknown members are hidden instead, because a discard restores them
 * (docs/decisions/463). Call it after the removals of the delta have passed the gate.
 *
 * @returns whether the provider sees a change
 * @throws ScimError tooMany
 */
export async function changeAwaited(
  ctx: TxCtx,
  connection: Connection,
  groupId: Id<"grp">,
  delta: ResolvedDelta,
): Promise<boolean> {
  const { forgotten, kept } = await writeAwaited(ctx, connection, groupId, delta);
  if (forgotten + kept === 0) return false;
  await trace(ctx, connection, "scim_group.awaited_members_changed", { group: groupId }, { kept, forgotten });
  if (kept > 0) await requireFew(ctx, connection, groupId);
  return true;
}

async function writeAwaited(
  ctx: TxCtx,
  connection: Connection,
  groupId: Id<"grp">,
  { clears, awaited, noLongerAwaited }: ResolvedDelta,
): Promise<{ forgotten: number; kept: number }> {
  let forgotten = 0;
  if (clears || noLongerAwaited.length > 0) {
    const which = `org_id = $1 AND group_id = $2 AND leaving_since IS NULL AND CASE WHEN $3 THEN value <> ALL($4::text[]) ELSE value = ANY($4::text[]) END`;
    const values = [ctx.orgId, groupId, clears, clears ? awaited : noLongerAwaited];
    const [hidden, deleted] = await Promise.all([
      ctx.tx.sql(
        `UPDATE scim_pending_members SET leaving_since = $6 WHERE ${which} AND ${hasWaiting("$2", "$5")} RETURNING 1`,
        [...values, connection.id, ctx.now],
      ),
      ctx.tx.sql(`DELETE FROM scim_pending_members WHERE ${which} RETURNING 1`, values),
    ]);
    forgotten = hidden.length + deleted.length;
  }
  if (awaited.length === 0) return { forgotten, kept: 0 };
  const kept = await ctx.tx.sql(
    `INSERT INTO scim_pending_members AS awaited (org_id, group_id, connector_id, value, created_at)
     SELECT $1, $2, $3, given.value, $5 FROM unnest($4::text[]) AS given (value)
     ON CONFLICT (org_id, group_id, value) DO UPDATE SET leaving_since = NULL WHERE awaited.leaving_since IS NOT NULL RETURNING 1`,
    [ctx.orgId, groupId, connection.id, awaited, ctx.now],
  );
  ctx.tx.wrote("scim_pending_members", kept.length);
  note(ctx, "awaited", kept.length);
  return { forgotten, kept: kept.length };
}

/** Refuses more unknown members than the maximum. Requests that add some run one after another (lockArrivals). */
async function requireFew(ctx: TxCtx, connection: Connection, groupId: Id<"grp">): Promise<void> {
  const [waiting] = await ctx.tx.sql<{ group: number; all: number }>(
    `SELECT (SELECT count(*) FROM scim_pending_members WHERE org_id = $1 AND group_id = $3) AS group,
       (SELECT count(*) FROM scim_pending_members WHERE org_id = $1 AND connector_id = $2) AS all`,
    [ctx.orgId, connection.id, groupId],
  );
  const { group, connection: all } = mostAwaited;
  const told = (most: number) => most.toLocaleString("en");
  if (waiting!.group <= group && waiting!.all <= all) return;
  throw badRequest(
    "tooMany",
    `A group keeps at most ${told(group)} members who are no users of this connection, and a connection ${told(all)}. Create the users first, or take such members out. Nothing was changed.`,
  );
}
