import { z } from "zod";

const column = z.string().min(1).max(200).meta({ description: "The name of a column, as the first line has it." });

/** What a cell can become through `values`. */
const scalar = z.union([z.string().max(1000), z.number(), z.boolean(), z.null()]);
const values = z
  .record(z.string().max(200), scalar)
  .refine((map) => Object.keys(map).length <= 500, "must have at most 500 entries")
  .optional()
  .meta({
    description:
      'What each value of the column stands for, such as {"A": "active"}. A value that is not listed rejects its row; an empty cell stays empty.',
  });

/** Every date format that is understood. None is guessed: 03/04/2026 is two days, depending on who wrote it. */
export const dateFormats = [
  "YYYY-MM-DD",
  "YYYY/MM/DD",
  "YYYYMMDD",
  "DD/MM/YYYY",
  "DD-MM-YYYY",
  "DD.MM.YYYY",
  "MM/DD/YYYY",
  "MM-DD-YYYY",
] as const;
type DateFormat = (typeof dateFormats)[number];

const source = z.union([
  column,
  z.discriminatedUnion("transform", [
    z.strictObject({ from: column, transform: z.literal("trim"), values }),
    z.strictObject({ from: column, transform: z.literal("lower"), values }),
    z.strictObject({
      from: column,
      transform: z.literal("date"),
      format: z.enum(
        dateFormats,
        "must name the format of the dates, since 03/04/2026 is two days: one of " + dateFormats.join(", "),
      ),
    }),
    z.strictObject({ transform: z.literal("constant"), value: scalar }),
    z.strictObject({
      transform: z.literal("template"),
      template: z
        .string()
        .min(1)
        .max(500)
        .meta({ description: "Text with columns in braces: {first_name} {last_name}." }),
    }),
  ]),
]);
type Source = z.output<typeof source>;

/** Which column gives which field of a subject (contract section 11). */
export const mapping = z
  .strictObject({
    externalId: source,
    displayName: source.optional(),
    email: source.optional(),
    status: source.optional(),
    attributes: z
      .record(z.string().min(1).max(200), source)
      .refine((each) => Object.keys(each).length <= 200, "must have at most 200 entries")
      .optional(),
  })
  .meta({ id: "ConnectorMapping" });
export type Mapping = z.output<typeof mapping>;

const topFields = ["externalId", "displayName", "email", "status"] as const;

/** A field of a subject as priorities and refusals name it: displayName, attributes.department. */
export type FieldName = string;

/** Every field that a mapping writes, with where it comes from. */
export function fieldsOf(mapping: Mapping): [FieldName, Source][] {
  return [
    ...topFields.flatMap((field): [FieldName, Source][] => (mapping[field] ? [[field, mapping[field]]] : [])),
    ...Object.entries(mapping.attributes ?? {}).map(([name, from]): [FieldName, Source] => [
      `attributes.${name}`,
      from,
    ]),
  ];
}

/** The columns that a mapping reads, in its order. */
export function columnsOf(mapping: Mapping): string[] {
  return [...new Set(fieldsOf(mapping).flatMap(([, from]) => columnsOfSource(from)))];
}

function columnsOfSource(from: Source): string[] {
  if (typeof from === "string") return [from];
  if ("from" in from) return [from.from];
  if (from.transform === "template") return [...from.template.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1]!);
  return [];
}

/** What was wrong with a cell. The message repeats no value: it is kept longer than the row. */
export interface CellError {
  column: string | null;
  code: string;
  message: string;
}

type Cell = string | number | boolean | null;
type Read = (record: readonly string[]) => Cell;

/** Thrown by a reader for a cell that cannot be taken. */
class BadCell extends Error {
  constructor(readonly cell: CellError) {
    super(cell.message);
  }
}

export interface MappedRow {
  /** The cell of externalId; "" where it is empty or could not be read. */
  key: string;
  /** The body of an upsert without externalId. */
  fields: Record<string, unknown>;
  errors: CellError[];
}

/**
 * Compiles a mapping for a file with these headers. Cells are trimmed. An empty cell empties its field: a name becomes
 * "", an e-mail address and an attribute are removed; a status is left as it was.
 */
export function compileMapping(mapping: Mapping, headers: readonly string[]): (record: readonly string[]) => MappedRow {
  const place = new Map(headers.map((header, i) => [header, i]));
  const compiled = fieldsOf(mapping).map(([name, from]) => ({
    name,
    column: columnsOfSource(from)[0] ?? null,
    read: reader(from, (column) => place.get(column)!),
  }));
  return (record) => {
    const row: MappedRow = { key: "", fields: {}, errors: [] };
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
    return row;
  };
}

const text = (value: Cell): string => (value === null ? "" : String(value));

function statusOf(value: string, column: string | null): string {
  const status = value.toLowerCase();
  if (status === "active" || status === "inactive") return status;
  throw new BadCell({
    column,
    code: "unknown_value",
    message: "The status must be active or inactive. Say in the mapping what other values stand for (values).",
  });
}

function reader(from: Source, placeOf: (column: string) => number): Read {
  if (typeof from === "string") return cell(placeOf(from));
  switch (from.transform) {
    case "trim":
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
        message: "The mapping does not say what this value stands for. Add it to values, or correct the cell.",
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

/** A day as YYYY-MM-DD; "" for an empty cell. */
function dateOf(value: string, format: DateFormat, column: string): string {
  if (value === "") return "";
  const parts = patterns[format].exec(value)?.groups;
  const [year, month, day] = [parts?.["year"], parts?.["month"], parts?.["day"]].map(Number) as [
    number,
    number,
    number,
  ];
  const date = parts ? new Date(Date.UTC(year, month - 1, day)) : undefined;
  // Date rolls 31 February over into March.
  if (!date || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day)
    throw new BadCell({ column, code: "invalid_date", message: `The date is not one in the format ${format}.` });
  return `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}
