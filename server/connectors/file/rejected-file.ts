import { withoutGuard } from "@/server/core/formula-guard";

/**
 * A file of rejected rows has two columns before those of the original file (export-rejected-rows.ts). This is the name of
 * the second one. An upload with this column is treated as a corrected file of rejected rows: the guard against formulas
 * is removed from its cells (docs/decisions/490).
 */
const wrongColumn = "What is wrong";
const lineColumn = "Line";
/** The name of the first column if the file has a column called Line itself. */
const otherLineColumn = "Line of the file";

/** The names of both added columns, for a file with these headers. */
export const addedColumns = (headers: readonly string[]): [string, string] => [
  headers.includes(lineColumn) ? otherLineColumn : lineColumn,
  wrongColumn,
];

/** Whether a file with these headers is a file of rejected rows. */
export const isRejectedFile = (headers: readonly string[]): boolean => headers.includes(wrongColumn);

/** The same from the beginning of the first line, before the encoding and the delimiter are known. */
export const beginsAsRejectedFile = (text: string): boolean =>
  /^"?Line(?: of the file)?"?[,;\t]"?What is wrong[",;\t]/.test(text);

/** Whether the column with this index is one of the added columns. */
export function isAdded(headers: readonly string[], at: number): boolean {
  if (headers[at] === wrongColumn) return true;
  return headers[at + 1] === wrongColumn && (headers[at] === lineColumn || headers[at] === otherLineColumn);
}

/** Restores the cells of a corrected row: removes the added columns and the guard against formulas. */
export function asSent(headers: readonly string[], cells: readonly string[]): { cells: string[]; isBlank: boolean } {
  return {
    cells: cells.map(withoutGuard),
    isBlank: cells.every((cell, at) => isAdded(headers, at) || cell.trim() === ""),
  };
}
