import { z } from "zod";
import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import type { Connection } from "../connection";
import type { Removal } from "./gate";

/** What one decision takes at most. */
const mostAtOnce = 5_000;

export const decisionInput = z.strictObject({
  id: id("con"),
  ids: z.array(id("sub")).min(1).max(mostAtOnce).optional().meta({
    description: "Whose removals: ids of people. All that are staged unless sent, at most 5,000 at once.",
  }),
});

const count = z.int();
export const decisionSchema = z
  .object({
    deactivated: count,
    membershipsRemoved: count,
    dropped: count.meta({ description: "Removals that were discarded, or no longer due." }),
    remaining: count.meta({ description: "Removals that still wait." }),
  })
  .meta({ id: "StagedDecision" });
export type Decision = z.output<typeof decisionSchema>;

/** Ends the wait of staged removals, the oldest first, and locks them. */
export async function takeStaged(
  ctx: TxCtx,
  connection: Connection,
  { ids, state }: { ids: Id<"sub">[] | undefined; state: "applied" | "dropped" },
): Promise<Removal[]> {
  const rows = await ctx.tx.sql<{ subject_id: Id<"sub">; group_id: Id<"grp"> | null; cause: Removal["cause"] }>(
    `UPDATE scim_removals SET state = $4, approved = $4 = 'applied', applied_at = CASE WHEN $4 = 'applied' THEN $5::timestamptz END
     WHERE org_id = $1 AND id = ANY(ARRAY(
       SELECT id FROM scim_removals WHERE org_id = $1 AND connector_id = $2 AND state = 'staged' AND ($3::uuid[] IS NULL OR subject_id = ANY($3))
       ORDER BY id LIMIT $6 FOR UPDATE
     )) RETURNING subject_id, group_id, cause`,
    [ctx.orgId, connection.id, ids ?? null, state, ctx.now, mostAtOnce],
  );
  return rows.map(({ subject_id, group_id, cause }) => ({
    subjectId: subject_id,
    cause,
    ...(group_id && { groupId: group_id }),
  }));
}

export async function countStaged(ctx: TxCtx, connection: Connection): Promise<number> {
  const [row] = await ctx.tx.sql<{ n: number }>(
    `SELECT count(*) AS n FROM scim_removals WHERE org_id = $1 AND connector_id = $2 AND state = 'staged'`,
    [ctx.orgId, connection.id],
  );
  return row!.n;
}
