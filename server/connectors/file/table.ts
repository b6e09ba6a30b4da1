/** A row of a file that is not CSV, with its row number in the sheet or its line number in the text. */
export interface TableRow {
  line: number;
  cells: string[];
}

const pieceSize = 64 * 1024;

/**
 * Writes rows as CSV with their line numbers in the first column, so that error messages name the line of the original
 * file. The first row holds the headers; shorter rows are padded with empty cells.
 */
export async function* numberedCsv(rows: AsyncIterable<TableRow>, take = Infinity): AsyncGenerator<Buffer> {
  let width: number | undefined;
  let taken = 0;
  let piece = "";
  for await (const { line, cells } of rows) {
    if (cells.every((cell) => cell.trim() === "")) continue;
    width ??= cells.length;
    const filled = cells.length < width ? [...cells, ...Array<string>(width - cells.length).fill("")] : cells;
    piece += csvLine([String(line), ...withoutEnd(filled, width)]);
    if (++taken >= take) break;
    if (piece.length < pieceSize) continue;
    yield Buffer.from(piece);
    piece = "";
  }
  if (piece !== "") yield Buffer.from(piece);
}

/** Removes empty cells right of the last column. */
function withoutEnd(cells: string[], width: number): string[] {
  let end = cells.length;
  while (end > width && cells[end - 1]!.trim() === "") end--;
  return cells.slice(0, end);
}

export const csvLine = (cells: string[]) => `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",")}\n`;
