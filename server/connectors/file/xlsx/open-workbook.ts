import type { Archive } from "../zip";
import { brokenWorkbook, readWholeXml } from "../xml";
import { TextTable } from "../text-table";
import { FileError } from "../file-error";
import { numberKind, type Calendar, type NumberKind } from "./cell-value";

/** The most bytes of the small parts of a workbook, which are read as a whole. */
const partLimit = 16 * 1024 * 1024;
const textsLimit = 1024 * 1024 * 1024;
const styleLimit = 100_000;

/** The data of a workbook that is needed to read the cells of its first visible sheet. */
export interface Workbook {
  /** The path of the sheet in the archive. */
  sheet: string;
  texts: TextTable;
  /** The kinds of numbers, by the style index of a cell. */
  styles: NumberKind[];
  calendar: Calendar;
}

export const isWorkbook = (archive: Archive) => archive.has("xl/workbook.xml");

/**
 * Finds the first visible sheet of a workbook and loads the texts and styles that its cells refer to.
 * @throws FileError
 */
export async function openWorkbook(archive: Archive): Promise<Workbook> {
  const sheets: { id: string; isHidden: boolean }[] = [];
  let calendar: Calendar = 1900;
  await readWholeXml(archive.read("xl/workbook.xml", partLimit), {
    open(name, attributes) {
      if (name === "sheet")
        sheets.push({ id: idOf(attributes), isHidden: (attributes["state"] ?? "visible") !== "visible" });
      if (name === "workbookPr" && /^(1|true)$/.test(attributes["date1904"] ?? "")) calendar = 1904;
    },
  });
  const parts = await relations(archive);
  const shown = sheets.find(({ isHidden }) => !isHidden);
  const sheet = shown && parts.get(shown.id)?.target;
  if (!sheet || !archive.has(sheet)) throw new FileError("no_sheet", "The workbook has no visible sheet.");
  const partOf = (type: string) => [...parts.values()].find((part) => part.type === type)?.target;
  return {
    sheet,
    texts: await readTexts(archive, partOf("sharedStrings")),
    styles: await readStyles(archive, partOf("styles")),
    calendar,
  };
}

const idOf = (attributes: Record<string, string>) =>
  Object.entries(attributes).find(([name]) => name.endsWith(":id"))?.[1] ?? "";

/** The relationships of a workbook to its parts, by id. */
async function relations(archive: Archive): Promise<Map<string, { type: string; target: string }>> {
  const name = "xl/_rels/workbook.xml.rels";
  if (!archive.has(name)) throw brokenWorkbook();
  const parts = new Map<string, { type: string; target: string }>();
  await readWholeXml(archive.read(name, partLimit), {
    open(tag, { Id: id = "", Type: type = "", Target: target = "" }) {
      if (tag !== "Relationship") return;
      const at = target.startsWith("/") ? target.slice(1) : `xl/${target.replace(/^\.\//, "")}`;
      parts.set(id, { type: type.split("/").at(-1)!, target: at });
    },
  });
  return parts;
}

/** Reads the shared strings of a workbook, without phonetic hints. */
async function readTexts(archive: Archive, name: string | undefined): Promise<TextTable> {
  const texts = new TextTable();
  if (!name || !archive.has(name)) return texts;
  let text: string | null = null;
  let isText = false;
  let isHint = false;
  await readWholeXml(archive.read(name, textsLimit), {
    open(tag) {
      if (tag === "si") text = "";
      else if (tag === "rPh") isHint = true;
      else if (tag === "t") isText = !isHint;
    },
    close(tag) {
      if (tag === "si") {
        texts.add(unescaped(text ?? ""));
        text = null;
      } else if (tag === "rPh") isHint = false;
      else if (tag === "t") isText = false;
    },
    text(said) {
      if (!isText || text === null) return;
      text += said;
      if (text.length > cellLimit) throw cellTooLong();
    },
  });
  return texts;
}

/** The most characters of a cell. Excel's own limit is 32,767. */
export const cellLimit = 100_000;
export const cellTooLong = () =>
  new FileError("line_too_long", `The workbook has a cell of more than ${cellLimit} characters.`);

/** Decodes characters that XML cannot represent and Excel writes as, for example, _x000D_. */
export const unescaped = (text: string) =>
  text.includes("_x")
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    : text;

async function readStyles(archive: Archive, name: string | undefined): Promise<NumberKind[]> {
  const styles: NumberKind[] = [];
  if (!name || !archive.has(name)) return styles;
  const codes = new Map<number, string>();
  let isCells = false;
  await readWholeXml(archive.read(name, partLimit), {
    open(tag, attributes) {
      if (tag === "numFmt") codes.set(Number(attributes["numFmtId"]), attributes["formatCode"] ?? "");
      else if (tag === "cellXfs") isCells = true;
      else if (tag === "xf" && isCells && styles.length < styleLimit) {
        const id = Number(attributes["numFmtId"] ?? 0);
        styles.push(numberKind(id, codes.get(id)));
      }
    },
    close(tag) {
      if (tag === "cellXfs") isCells = false;
    },
  });
  return styles;
}
