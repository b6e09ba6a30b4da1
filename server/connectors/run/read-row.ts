import { DomainError } from "@/server/core/errors";
import { parseInput } from "@/server/core/input";
import { upsertInput, type UpsertInput } from "@/server/subjects/input";
import type { CsvRecord } from "../file/read-csv";
import { columnsOf, columnsOfSource, compileMapping, fieldsOf, type CellError } from "../map-row";
import type { Mapping } from "../mapping";

/** A record of a file after mapping. */
export interface FeedRow {
  line: number;
  /** The externalId; null if the row has no usable id. */
  key: string | null;
  /** The upsert; null if the row is rejected. */
  input: UpsertInput | null;
  /** The names of the person's groups; null if the row is rejected or the mapping has none. */
  groups: string[] | null;
  errors: CellError[];
  /** The cells as they are in the file. */
  cells: string[];
}

/** The columns that a mapping reads but a file does not have. */
export const missingColumns = (mapping: Mapping, headers: readonly string[]) =>
  columnsOf(mapping).filter((column) => !headers.includes(column));

/** Rejects the last row of a file that may be cut off, because its last cell, or even its id, may be incomplete. */
export const rejectedAsCutOff = (row: FeedRow): FeedRow => ({
  ...row,
  input: null,
  groups: null,
  errors: [
    ...row.errors,
    {
      column: null,
      code: "cut_off",
      message:
        "The file has no line end after this row, and the row may be cut off, so it was not applied. Send the whole file, with a line end after its last row.",
    },
  ],
});

/** Returns a function that maps the records of a file with these headers. */
export function rowReader(
  mapping: Mapping,
  headers: readonly string[],
): (record: Pick<CsvRecord, "line" | "cells">) => FeedRow {
  const map = compileMapping(mapping, headers);
  const columnOf = new Map(fieldsOf(mapping).map(([name, from]) => [name, columnsOfSource(from)[0] ?? null]));
  const read = ({ line, cells }: Pick<CsvRecord, "line" | "cells">): FeedRow => {
    if (cells.length !== headers.length)
      return {
        line,
        cells,
        key: null,
        input: null,
        groups: null,
        errors: [
          {
            column: null,
            code: "wrong_column_count",
            message: `The row has ${cells.length} cells and the first line has ${headers.length}. A cell that holds the separator must be quoted.`,
          },
        ],
      };
    const { key, fields, groups, errors } = map(cells);
    if (key === "") {
      const error = {
        column: columnOf.get("externalId") ?? null,
        code: "missing_external_id",
        message: "The id of the person is empty.",
      };
      return { line, cells, key: null, input: null, groups: null, errors: [...errors, error] };
    }
    const { input, wrong } = checked({ externalId: key, ...fields }, columnOf);
    const keyIsWrong = wrong.some(({ field }) => field === "externalId");
    const all = [...errors, ...wrong.map(({ column, code, message }) => ({ column, code, message }))];
    return {
      line,
      cells,
      key: keyIsWrong ? null : (input?.externalId ?? key.normalize("NFC").trim()),
      input: all.length === 0 ? input : null,
      groups: all.length === 0 ? groups : null,
      errors: all,
    };
  };
  return ({ line, cells }) => {
    const nul = cells.findIndex((cell) => cell.includes("\0"));
    if (nul < 0) return read({ line, cells });
    // PostgreSQL stores no NUL, and would refuse the whole step because of this row.
    const row = read({ line, cells: cells.map((cell) => cell.replaceAll("\0", "\uFFFD")) });
    const error = {
      column: headers[nul] ?? null,
      code: "invalid_value",
      message: "The value must not hold a NUL character.",
    };
    const keyIsWrong = cells[headers.indexOf(columnOf.get("externalId") ?? "")]?.includes("\0");
    return { ...row, ...(keyIsWrong && { key: null }), input: null, groups: null, errors: [...row.errors, error] };
  };
}

/** Validates a row as PUT /v1/subjects does. Error messages repeat no values. */
function checked(row: object, columnOf: Map<string, string | null>) {
  try {
    return { input: parseInput(upsertInput, row), wrong: [] };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { input: null, wrong: (error.extras.errors ?? []).map((issue) => about(issue, columnOf)) };
  }
}

function about({ pointer, message }: { pointer: string; message: string }, columnOf: Map<string, string | null>) {
  const [field = "", name] = pointer.split("/").slice(1);
  const column = columnOf.get(name === undefined ? field : `attributes.${name}`) ?? columnOf.get(field) ?? null;
  // Remove the API's field name: the list of errors shows the column.
  const path = `${pointer.slice(1).replaceAll("/", ".")} `;
  return {
    field,
    column,
    code: "invalid_value",
    message: message.startsWith(path) ? `The value ${message.slice(path.length)}.` : message,
  };
}
