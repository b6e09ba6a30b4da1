import type { RowError } from "@/server/credentials/bulk-rows";
import type { RouterOutputs } from "@/server/trpc/root";
import { isSoAlready, refusalText } from "./refusals";

export type BulkStep = "suspend" | "resume" | "revoke";
type Result = Extract<RouterOutputs["bulk"]["start"], { result: unknown }>["result"];

export interface BulkSummary<Row> {
  done: Row[];
  /** For which there was nothing to do. */
  already: Row[];
  refused: { row: Row; why: string }[];
}

/**
 * Tells what was done from what was so already and what was refused. `rows` are those that were sent, in their order.
 */
export function summaryOf<Row>(result: NonNullable<Result>, rows: readonly Row[]): BulkSummary<Row> {
  const summary: BulkSummary<Row> = { done: [], already: [], refused: [] };
  for (const outcome of result.data) {
    const row = rows[outcome.index]!;
    if (outcome.ok) (outcome.changed === false ? summary.already : summary.done).push(row);
    else {
      const error = (outcome as { error: RowError }).error;
      if (isSoAlready(error)) summary.already.push(row);
      else summary.refused.push({ row, why: refusalText(error) });
    }
  }
  return summary;
}

export const past: Record<BulkStep, string> = { suspend: "suspended", resume: "resumed", revoke: "revoked" };
const before: Record<BulkStep, string> = {
  suspend: "suspended already",
  resume: "active already",
  revoke: "revoked already",
};
const format = new Intl.NumberFormat("en");

/** "3 revoked, 1 revoked already, 2 refused" */
export function summaryText(step: BulkStep, { done, already, refused }: BulkSummary<unknown>): string {
  const parts = [
    done.length > 0 && `${format.format(done.length)} ${past[step]}`,
    already.length > 0 && `${format.format(already.length)} ${before[step]}`,
    refused.length > 0 && `${format.format(refused.length)} refused`,
  ];
  return parts.filter(Boolean).join(", ");
}
