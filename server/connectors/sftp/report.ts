import type { Origin } from "./origin";
import type { RunRow } from "../run-view";

/** The facts of a finished run that its report states. */
export type Reported = Pick<
  RunRow,
  | "status"
  | "error"
  | "hold"
  | "identical"
  | "rows"
  | "created"
  | "updated"
  | "unchanged"
  | "deactivated"
  | "rejected"
  | "held"
> & { origin: Origin; finished_at: Date | null };

export interface ReportedError {
  line: number;
  column: string | null;
  message: string;
}

/** The most row errors in a report. All are counted, and the console lists them. */
export const reportedErrors = 1_000;

/** Whether a file is moved to error/, because it was not or not completely applied. */
export const isError = ({ status }: Pick<RunRow, "status">): boolean => status === "failed" || status === "cancelled";

/** Writes the plain text report about a file for its sender. It repeats no values of the file. */
export function reportOf(run: Reported, errors: readonly ReportedError[]): string {
  const { origin } = run;
  const lines = [
    `File: ${origin.name} (${origin.size} bytes)`,
    `Taken: ${run.finished_at?.toISOString() ?? ""}`,
    `Result: ${resultOf(run)}`,
    "",
    `Rows: ${run.rows}`,
    `Created: ${run.created}`,
    `Updated: ${run.updated}`,
    `Unchanged: ${run.unchanged}`,
    `Deactivated: ${run.deactivated}`,
    `Waiting for approval: ${run.held}`,
    `Rejected: ${run.rejected}`,
  ];
  if (errors.length > 0) lines.push("", "Rejected rows:");
  for (const { line, column, message } of errors)
    lines.push(`Line ${line}${column === null ? "" : `, column ${JSON.stringify(column)}`}: ${message}`);
  if (errors.length === reportedErrors) lines.push(`… The console lists further errors.`);
  return `${lines.join("\r\n")}\r\n`;
}

function resultOf({ status, error, hold, identical, rejected }: Reported): string {
  if (status === "failed") return `failed. ${error?.message ?? ""}`;
  if (status === "cancelled") return "cancelled in the console or through the API.";
  if (status === "held") return `applied, except for deactivations that wait for approval. ${hold?.message ?? ""}`;
  if (identical) return "the same file as last time; there was nothing to do.";
  return rejected > 0 ? "applied, except for the rejected rows below." : "applied.";
}
