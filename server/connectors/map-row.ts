import { dateFormats, type DateFormat } from "./cell-formats";
import { namesOfCell } from "./groups/names-of-cell";
import type { GroupSource, Mapping, MappingSource as Source } from "./mapping";

const topFields = ["externalId", "displayName", "email", "status"] as const;

/** The name of a subject's field in a mapping, such as displayName or attributes.department. */
export type FieldName = string;

/** Lists the fields that a mapping writes, with their sources. */
export function fieldsOf(mapping: Mapping): [FieldName, Source][] {
  return [
    ...topFields.flatMap((field): [FieldName, Source][] => (mapping[field] ? [[field, mapping[field]]] : [])),
    ...Object.entries(mapping.attributes ?? {}).map(([name, from]): [FieldName, Source] => [
      `attributes.${name}`,
      from,
    ]),
  ];
}

/** Lists the columns that a mapping reads, in the order of the mapping. */
export function columnsOf(mapping: Mapping): string[] {
  return [...new Set([...fieldsOf(mapping).flatMap(([, from]) => columnsOfSource(from)), ...columnsOfGroups(mapping)])];
}

/** Lists the columns that name groups. */
export const columnsOfGroups = ({ groups = [] }: Mapping): string[] => groups.map(columnOfGroup);

const columnOfGroup = (from: GroupSource) => (typeof from === "string" ? from : from.from);

/** Lists the columns that the source of one field reads. */
export function columnsOfSource(from: Source): string[] {
  if (typeof from === "string") return [from];
  if ("from" in from) return [from.from];
  if (from.transform === "template") return [...from.template.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1]!);
  return [];
}

/** An error of a cell. Its message must not repeat values, because errors are kept longer than rows. */
export interface CellError {
  column: string | null;
  code: string;
  message: string;
}

type Cell = string | number | boolean | null;
type Read = (record: readonly string[]) => Cell;

/** Thrown by a reader for an invalid cell. */
class BadCell extends Error {
  constructor(readonly cell: CellError) {
    super(cell.message);
  }
}

export interface MappedRow {
  /** The value of externalId; "" if the cell is empty or invalid. */
  key: string;
  /** The body of the upsert, without externalId. */
  fields: Record<string, unknown>;
  /** The names of the person's groups; null if the mapping has none. */
  groups: string[] | null;
  errors: CellError[];
}

/**
 * Compiles a mapping into a function that maps records of a file with these headers. Cells are trimmed. An empty cell
 * clears its field: a name becomes "", an e-mail address or an attribute is removed; a status stays as it was.
 */
export function compileMapping(mapping: Mapping, headers: readonly string[]): (record: readonly string[]) => MappedRow {
  const place = new Map(headers.map((header, i) => [header, i]));
  const compiled = fieldsOf(mapping).map(([name, from]) => ({
    name,
    column: columnsOfSource(from)[0] ?? null,
    read: reader(from, (column) => place.get(column)!),
  }));
  const groups = mapping.groups?.map((from) => ({
    column: columnOfGroup(from),
    separator: typeof from === "string" ? null : from.separator,
    read: cell(place.get(columnOfGroup(from))!),
  }));
  return (record) => {
    const row: MappedRow = { key: "", fields: {}, groups: null, errors: [] };
    const attributes: Record<string, Cell> = Object.create(null) as Record<string, Cell>;
    for (const { name, column, read } of compiled) {
      try {
        const value = read(record);
        if (name.startsWith("attributes.")) attributes[name.slice("attributes.".length)] = value === "" ? null : value;
        else if (name === "externalId") row.key = text(value);
        else if (name === "email") row.fields["email"] = text(value) || null;
        else if (name === "displayName") row.fields["displayName"] = text(value);
        else if (text(value) !== "") row.fields["status"] = statusOf(text(value), column);
      } catch (error) {
        if (!(error instanceof BadCell)) throw error;
        row.errors.push(error.cell);
      }
    }
    if (mapping.attributes) row.fields["attributes"] = attributes;
    if (groups) row.groups = groupsOf(groups, record, row.errors);
    return row;
  };
}

interface GroupColumn {
  column: string;
  separator: string | null;
  read(record: readonly string[]): string;
}

function groupsOf(columns: readonly GroupColumn[], record: readonly string[], errors: CellError[]): string[] {
  const named = new Map<string, string>();
  for (const { column, separator, read } of columns) {
    const { names, problem } = namesOfCell(read(record), separator);
    if (problem !== null) errors.push({ column, code: "invalid_group", message: problem });
    else for (const name of names) if (!named.has(name.toLowerCase())) named.set(name.toLowerCase(), name);
  }
  return [...named.values()];
}

const text = (value: Cell): string => (value === null ? "" : String(value));

function statusOf(value: string, column: string | null): string {
  const status = value.toLowerCase();
  if (status === "active" || status === "inactive") return status;
  throw new BadCell({
    column,
    code: "unknown_value",
    message: "The status must be active or inactive. Use values in the mapping to translate other words.",
  });
}

function reader(from: Source, placeOf: (column: string) => number): Read {
  if (typeof from === "string") return cell(placeOf(from));
  switch (from.transform) {
    case "trim":
      if (from.decimal) return numeric(cell(placeOf(from.from)), from.from, from.decimal);
      return valued(cell(placeOf(from.from)), from.from, from.values);
    case "lower": {
      const read = cell(placeOf(from.from));
      return valued((record) => read(record).toLowerCase(), from.from, from.values);
    }
    case "date": {
      const read = cell(placeOf(from.from));
      return (record) => dateOf(read(record), from.format, from.from);
    }
    case "constant":
      return () => from.value;
    case "template": {
      const parts = from.template.split(/\{([^{}]+)\}/g).map((part, i) => (i % 2 === 0 ? part : cell(placeOf(part))));
      return (record) =>
        parts
          .map((part) => (typeof part === "string" ? part : part(record)))
          .join("")
          .replace(/\s+/g, " ")
          .trim();
    }
  }
}

const cell =
  (place: number) =>
  (record: readonly string[]): string =>
    (record[place] ?? "").trim();

function valued(
  read: (record: readonly string[]) => string,
  column: string,
  map: Record<string, Cell> | undefined,
): Read {
  if (!map) return read;
  const known = new Map(Object.entries(map));
  return (record) => {
    const value = read(record);
    if (value === "" && !known.has("")) return value;
    const found = known.get(value);
    if (found === undefined)
      throw new BadCell({
        column,
        code: "unknown_value",
        message: "The mapping does not say what this value means. Add the value to the mapping, or correct the cell.",
      });
    return found;
  };
}

const patterns: Record<DateFormat, RegExp> = Object.fromEntries(
  dateFormats.map((format) => [
    format,
    new RegExp(
      `^${format
        .replace(/[.]/g, "\\.")
        .replace("YYYY", "(?<year>\\d{4})")
        .replace("MM", format.includes("YYYYMM") ? "(?<month>\\d{2})" : "(?<month>\\d{1,2})")
        .replace("DD", format.endsWith("MMDD") ? "(?<day>\\d{2})" : "(?<day>\\d{1,2})")}$`,
    ),
  ]),
) as Record<DateFormat, RegExp>;

/** Whether a cell is a day in this format. */
export const isDateIn = (value: string, format: DateFormat): boolean => dayIn(value, format) !== null;

/** Converts a date to YYYY-MM-DD; "" for an empty cell. */
function dateOf(value: string, format: DateFormat, column: string): string {
  if (value === "") return "";
  const day = dayIn(value, format);
  if (day === null)
    throw new BadCell({ column, code: "invalid_date", message: `The cell is not a date in the format ${format}.` });
  return day;
}

function dayIn(value: string, format: DateFormat): string | null {
  const parts = patterns[format].exec(value)?.groups;
  const [year, month, day] = [parts?.["year"], parts?.["month"], parts?.["day"]].map(Number) as [
    number,
    number,
    number,
  ];
  const date = parts ? new Date(Date.UTC(year, month - 1, day)) : undefined;
  // Date rolls 31 February over into March.
  if (!date || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  return `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

const numbers = {
  ".": /^[+-]?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/,
  ",": /^[+-]?(\d+|\d{1,3}([.]\d{3})+)(,\d+)?$/,
};

const numeric =
  (read: (record: readonly string[]) => string, column: string, decimal: keyof typeof numbers): Read =>
  (record) =>
    numberOf(read(record), decimal, column);

/** Parses a number; "" for an empty cell. */
function numberOf(value: string, decimal: keyof typeof numbers, column: string): number | "" {
  if (value === "") return "";
  // Spaces can separate thousands too; Excel uses narrow ones.
  const plain = value.replace(/(?<=\d)\s(?=\d{3}(?!\d))/g, "");
  const wrong = (message: string) => new BadCell({ column, code: "invalid_number", message });
  if (!numbers[decimal].test(plain))
    throw wrong(
      `The cell is not a number with a decimal ${decimal === "," ? "comma" : "point"}. Correct it, or map the column as text.`,
    );
  if (/^[+-]?0\d/.test(plain))
    throw wrong("The number begins with a zero, which would be lost. Map the column as text.");
  const digits = decimal === "," ? plain.replaceAll(".", "").replace(",", ".") : plain.replaceAll(",", "");
  if (digits.replace(/\D/g, "").length > 15)
    throw wrong("The number has more than 15 digits and would be rounded. Map the column as text.");
  return Number(digits);
}
