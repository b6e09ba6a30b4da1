import type { TxCtx } from "@/server/core/context";
import { applyBatch } from "./apply-batch";
import { applyBeside, takeCounts } from "./second-half";
import { advance, type Place, type Work } from "./work";

const start = { key: "", line: -1 };

/** Applies the next batch of staged rows, and beside it the next one of their second half, if they were split (split). */
export async function apply(ctx: TxCtx, work: Work): Promise<void> {
  const { after = start, until = null, hasPeople } = work.progress;
  const goOn = (place: Place) => ({ phase: "applying" as const, progress: { after: place, until, hasPeople } });
  const first = applyBatch(ctx, work, { after, until });
  if (until === null) {
    const batch = await first;
    return batch ? advance(ctx, work, goOn(batch.last), batch.counts) : advance(ctx, work, { phase: "grouping" });
  }
  // The transaction of the second half has ended before this one does, even if this one fails.
  const [, second] = await Promise.allSettled([first, applyBeside(ctx, work)]);
  const batch = await first;
  if (second.status === "rejected") throw second.reason;
  const { isDone, counts } = await takeCounts(ctx, work, batch?.counts);
  if (isDone && !batch) return advance(ctx, work, { phase: "grouping" }, counts);
  await advance(ctx, work, goOn(batch?.last ?? after), counts);
}
