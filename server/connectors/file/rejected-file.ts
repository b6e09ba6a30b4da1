import { withoutGuard } from "@/server/core/formula-guard";

/**
 * The columns that stand before those of the file in the file of rejected rows (export-rejected-rows.ts). An upload that
 * has the second one is known by it for such a file: its cells are guarded against formulas, and the guard is taken off
 * (docs/decisions/490).
 */
const wrongColumn = "What is wrong";
const lineColumn = "Line";
/** Where the file has a column called Line itself. */
const otherLineColumn = "Line of the file";

/** Both columns, for a file with these headers. */
export const addedColumns = (headers: readonly string[]): [string, string] => [
  headers.includes(lineColumn) ? otherLineColumn : lineColumn,
  wrongColumn,
];

/** Whether a file with these headers is a file of rejected rows. */
export const isRejectedFile = (headers: readonly string[]): boolean => headers.includes(wrongColumn);

/** The same by the beginning of its first line, before it is known how the file is read. */
export const beginsAsRejectedFile = (text: string): boolean =>
  /^"?Line(?: of the file)?"?[,;\t]"?What is wrong[",;\t]/.test(text);

/** Whether the column at this place is one that was added. */
export function isAdded(headers: readonly string[], at: number): boolean {
  if (headers[at] === wrongColumn) return true;
  return headers[at + 1] === wrongColumn && (headers[at] === lineColumn || headers[at] === otherLineColumn);
}

/** The cells of a row of a file of rejected rows as the rejected file had them. */
export function asSent(headers: readonly string[], cells: readonly string[]): { cells: string[]; isBlank: boolean } {
  return {
    cells: cells.map(withoutGuard),
    isBlank: cells.every((cell, at) => isAdded(headers, at) || cell.trim() === ""),
  };
}
