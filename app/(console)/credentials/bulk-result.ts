import { csvRow } from "@/server/core/csv-row";
import type { RowError } from "@/server/credentials/bulk-rows";
import type { RouterOutputs } from "@/server/trpc/root";
import { isSoAlready, refusalText } from "./refusals";

export type BulkStep = "suspend" | "resume" | "revoke";
type Result = Extract<RouterOutputs["bulk"]["start"], { result: unknown }>["result"];

export interface Refused<Row> {
  row: Row;
  /** As the API has it. */
  code: string;
  why: string;
}

export interface BulkSummary<Row> {
  done: Row[];
  /** Credentials that needed no change. */
  already: Row[];
  refused: Refused<Row>[];
}

/** Counts changed, unchanged and refused credentials. `rows` are the rows that were sent, in order. */
export function summaryOf<Row>(result: NonNullable<Result>, rows: readonly Row[]): BulkSummary<Row> {
  const summary: BulkSummary<Row> = { done: [], already: [], refused: [] };
  for (const outcome of result.data) {
    const row = rows[outcome.index]!;
    if (outcome.ok) (outcome.changed === false ? summary.already : summary.done).push(row);
    else {
      const error = (outcome as { error: RowError }).error;
      if (isSoAlready(error)) summary.already.push(row);
      else summary.refused.push({ row, code: error.code, why: refusalText(error) });
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

/** The most names that one look-up takes. */
const namesAtOnce = 100;

/** Writes the refused credentials as a CSV file with holder and reason. */
export async function* refusedCsv(
  refused: readonly Refused<{ id: string; subjectId: string }>[],
  namesOf: (ids: string[]) => Promise<{ id: string; externalId: string; displayName: string }[]>,
): AsyncGenerator<string> {
  yield `\ufeff${csvRow(["externalId", "name", "error", "detail", "credentialId"])}`;
  for (let from = 0; from < refused.length; from += namesAtOnce) {
    const part = refused.slice(from, from + namesAtOnce);
    const names = await namesOf([...new Set(part.map(({ row }) => row.subjectId))]);
    const holders = new Map(names.map((each) => [each.id, each]));
    for (const { row, code, why } of part) {
      const holder = holders.get(row.subjectId);
      yield csvRow([holder?.externalId, holder?.displayName, code, why, row.id]);
    }
  }
}
