import type { TxCtx } from "@/server/core/context";
import { retryDeadlock } from "@/server/core/retry-deadlock";
import { transaction } from "@/server/core/transaction";
import { applyBatch, type BatchCounts } from "./apply-batch";
import type { Work } from "./work";

/** From this many rows on, a run is applied in two halves. */
const leastRows = 10_000;

/**
 * Splits the staged rows of a large file in two halves, by key. A batch of each is applied at once, on two connections:
 * one takes all the time of one processor of PostgreSQL (docs/decisions/730). Rows that may be about one person must not be
 * applied at once, so a run that finds people by their e-mail address is not split.
 * @returns the first key of the second half; null if the run is not split
 */
export async function split(ctx: TxCtx, work: Work): Promise<string | null> {
  if (work.rows < leastRows || work.config.adopt === "email") return null;
  const [half] = await ctx.tx.sql<{ key: string }>(
    `INSERT INTO connector_second_halves (org_id, run_id, after_key, after_line)
     SELECT org_id, run_id, key, -1 FROM connector_rows WHERE org_id = $1 AND run_id = $2 ORDER BY key, line LIMIT 1 OFFSET $3
     RETURNING after_key AS key`,
    [ctx.orgId, work.id, Math.floor(work.rows / 2)],
  );
  return half?.key ?? null;
}

/**
 * Applies the next batch of the second half in a transaction of its own, while the caller's applies one of the first half
 * and holds the lock of the run. If the batch needs a row that the caller's transaction has locked, it is left for the next
 * step: PostgreSQL cannot see that the two would wait for each other.
 */
export async function applyBeside(ctx: TxCtx, work: Work): Promise<void> {
  try {
    await retryDeadlock(() => transaction((tx) => applyNext({ ...ctx, tx }, work)));
  } catch (error) {
    if ((error as { code?: unknown }).code !== lockNotAvailable) throw error;
  }
}

const lockNotAvailable = "55P03";

async function applyNext(ctx: TxCtx, work: Work): Promise<void> {
  ctx.tx.send("SET LOCAL lock_timeout = '1s'");
  const [half] = await ctx.tx.sql<{ key: string; line: number }>(
    `SELECT half.after_key AS key, half.after_line AS line FROM connector_second_halves half
     JOIN connector_runs run ON run.org_id = half.org_id AND run.id = half.run_id
     WHERE half.org_id = $1 AND half.run_id = $2 AND half.after_key IS NOT NULL FOR UPDATE OF half FOR KEY SHARE OF run`,
    [ctx.orgId, work.id],
  );
  if (!half) return;
  const batch = await applyBatch(ctx, work, { after: half, until: null });
  ctx.tx.send(
    `UPDATE connector_second_halves SET after_key = $3, after_line = $4, created = created + $5, updated = updated + $6,
       unchanged = unchanged + $7, deactivated = deactivated + $8, rejected = rejected + $9
     WHERE org_id = $1 AND run_id = $2`,
    [ctx.orgId, work.id, batch?.last.key ?? null, batch?.last.line ?? 0, ...inOrder(batch?.counts ?? none)],
  );
}

const none: BatchCounts = { created: 0, updated: 0, unchanged: 0, deactivated: 0, rejected: 0 };

const inOrder = ({ created, updated, unchanged, deactivated, rejected }: BatchCounts) => [
  created,
  updated,
  unchanged,
  deactivated,
  rejected,
];

/**
 * Takes the counts of the second half that the run does not include yet, and adds them to those of a batch of the first.
 * They are stored apart, because a step of the first half can fail after one of the second was committed.
 */
export async function takeCounts(
  ctx: TxCtx,
  work: Work,
  first: BatchCounts = none,
): Promise<{ isDone: boolean; counts: BatchCounts }> {
  const [half] = await ctx.tx.sql<BatchCounts & { done: boolean }>(
    `UPDATE connector_second_halves SET created = 0, updated = 0, unchanged = 0, deactivated = 0, rejected = 0 WHERE org_id = $1 AND run_id = $2
     RETURNING old.created, old.updated, old.unchanged, old.deactivated, old.rejected, old.after_key IS NULL AS done`,
    [ctx.orgId, work.id],
  );
  const { done, ...second } = half!;
  const counts = { ...first };
  for (const name of Object.keys(none) as (keyof BatchCounts)[]) counts[name] += second[name];
  return { isDone: done, counts };
}
