import type { Origin } from "./origin";
import type { RunRow } from "../run-view";

/** Of a run that is over: what its report says. */
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

/** Rows with errors that a report names. All are counted, and the console has them. */
export const reportedErrors = 1_000;

/** Whether a file belongs into the folder error/: nothing of it, or not all of it, was applied. */
export const isError = ({ status }: Pick<RunRow, "status">): boolean => status === "failed" || status === "cancelled";

/** What became of a file, in plain text for whoever sent it. It repeats no value of the file. */
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
    `Waiting for a person: ${run.held}`,
    `Rejected: ${run.rejected}`,
  ];
  if (errors.length > 0) lines.push("", "Rejected rows:");
  for (const { line, column, message } of errors)
    lines.push(`Line ${line}${column === null ? "" : `, column ${JSON.stringify(column)}`}: ${message}`);
  if (errors.length === reportedErrors) lines.push(`… The console lists further ones.`);
  return `${lines.join("\r\n")}\r\n`;
}

function resultOf({ status, error, hold, identical, rejected }: Reported): string {
  if (status === "failed") return `failed. ${error?.message ?? ""}`;
  if (status === "cancelled") return "cancelled by a person.";
  if (status === "held") return `applied, but for deactivations that a person has to approve. ${hold?.message ?? ""}`;
  if (identical) return "the same file as before; there was nothing to do.";
  return rejected > 0 ? "applied, but for the rejected rows below." : "applied.";
}
