import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import type { RunRow } from "../run-view";
import { retryDeadlock } from "@/server/core/retry-deadlock";
import { stepOf } from "./step";
import { workColumns, type Work } from "./work";

/** How long a request works on steps, in ms: their rows are locked until it ends. */
const withinMs = 3_000;

/**
 * Does the steps of a run in the transaction of its request, until the run ends or takes too long for a request. The
 * job continues after the commit.
 */
export async function runWithin(ctx: TxCtx, id: Id<"plr">): Promise<RunRow> {
  const until = Date.now() + withinMs;
  await ctx.tx.sql(`UPDATE policy_runs SET started_at = coalesce(started_at, $3) WHERE org_id = $1 AND id = $2`, [
    ctx.orgId,
    id,
    ctx.now,
  ]);
  for (;;) {
    const [work] = await ctx.tx.sql<Work>(
      `SELECT ${workColumns} FROM policy_runs WHERE org_id = $1 AND id = $2 FOR UPDATE`,
      [ctx.orgId, id],
    );
    if (work!.status !== "running" || Date.now() >= until) return work!;
    await retryDeadlock(() => ctx.tx.savepoint(() => stepOf(ctx, work!)));
  }
}
