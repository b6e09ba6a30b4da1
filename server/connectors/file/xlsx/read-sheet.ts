import type { TableRow } from "../table";
import { FileError } from "../file-error";
import { readXml } from "../xml";
import type { Archive } from "../zip";
import { numberText } from "./cell-value";
import { cellLimit, cellTooLong, openWorkbook, unescaped, type Workbook } from "./open-workbook";

/** The most cells of a row, which is Excel's own limit, and the most characters of all cells of a row. */
const columnLimit = 16_384;
const rowCharacters = 400_000;
/** The most characters of the rows of one chunk: many short cells can refer to one long shared string. */
const waitingCharacters = 16_000_000;

interface Cell {
  column: number;
  type: string;
  style: number;
  text: string;
}

/**
 * Reads the non-empty rows of the first visible sheet of a workbook, with Excel's row numbers. Formulas give the value that
 * Excel computed last.
 * @param limit the most bytes of the sheet after decompression
 * @throws FileError
 */
export async function* readWorkbook(archive: Archive, limit: number): AsyncGenerator<TableRow> {
  const workbook = await openWorkbook(archive);
  const rows: TableRow[] = [];
  let row: TableRow | null = null;
  let characters = 0;
  let line = 0;
  let cell: Cell | null = null;
  let isValue = false;
  let isHint = false;
  let waiting = 0;
  const put = ({ column }: Cell, value: string) => {
    if (value === "" || !row) return;
    characters += value.length;
    waiting += value.length;
    if (characters > rowCharacters || waiting > waitingCharacters)
      throw new FileError("line_too_long", `A row has more than ${rowCharacters} characters.`, row.line);
    while (row.cells.length < column) row.cells.push("");
    row.cells[column] = value;
  };
  const sheet = readXml(archive.read(workbook.sheet, limit), {
    open(tag, attributes) {
      if (tag === "row") {
        const given = Number(attributes["r"]);
        line = Number.isSafeInteger(given) && given > line && given <= 1_048_576 ? given : line + 1;
        row = { line, cells: [] };
        characters = 0;
        cell = null;
      } else if (tag === "c" && row) {
        const next: number = cell ? cell.column + 1 : 0;
        const column = attributes["r"] === undefined ? next : columnOf(attributes["r"], next);
        if (column >= columnLimit)
          throw new FileError("too_many_columns", `The sheet has more than ${columnLimit} columns.`, line);
        cell = { column, type: attributes["t"] ?? "n", style: Number(attributes["s"] ?? 0), text: "" };
      } else if (tag === "rPh") isHint = true;
      else if (tag === "v" || (tag === "t" && cell?.type === "inlineStr")) isValue = !isHint;
    },
    close(tag) {
      if (tag === "v" || tag === "t") isValue = false;
      else if (tag === "rPh") isHint = false;
      else if (tag === "c" && cell) put(cell, valueOf(cell, workbook));
      else if (tag === "row" && row) {
        rows.push(row);
        row = null;
      }
    },
    text(said) {
      if (!isValue || !cell) return;
      cell.text += said;
      if (cell.text.length > cellLimit) throw cellTooLong();
    },
  });
  for await (const _ of sheet) {
    yield* rows.filter(({ cells }) => cells.length > 0);
    rows.length = waiting = 0;
  }
}

function columnOf(reference: string, otherwise: number): number {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(reference)?.[0];
  if (letters === undefined) return /^[A-Z]{4}/.test(reference) ? columnLimit : otherwise;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return Math.max(column - 1, otherwise);
}

function valueOf({ type, style, text }: Cell, { texts, styles, calendar }: Workbook): string {
  if (text === "") return "";
  switch (type) {
    case "s":
      return texts.get(Number(text)) ?? "";
    case "b":
      return text.trim() === "1" ? "TRUE" : "FALSE";
    case "n":
      return numberText(text, styles[style] ?? "number", calendar);
    case "d":
      return text.replace(/T00:00:00(\.0+)?Z?$/, "");
    default:
      return unescaped(text);
  }
}
