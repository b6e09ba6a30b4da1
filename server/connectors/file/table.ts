/** A row of a file that is not CSV, and where it stands there: the row of a sheet, the line of a text. */
export interface TableRow {
  line: number;
  cells: string[];
}

const pieceSize = 64 * 1024;

/**
 * Rows as CSV whose first column holds the line of each, so that what is said of a row names the place where its author
 * finds it. The first row names the columns; shorter ones are filled up.
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

/** Without the empty cells that stand right of the last column. */
function withoutEnd(cells: string[], width: number): string[] {
  let end = cells.length;
  while (end > width && cells[end - 1]!.trim() === "") end--;
  return cells.slice(0, end);
}

export const csvLine = (cells: string[]) => `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",")}\n`;
