import { compileMapping, type CellError } from "@/server/connectors/map-row";
import type { Mapping } from "@/server/connectors/mapping";
import type { Sample } from "./read-sample";

/** The person that results from a row of the sample. */
export interface PreviewPerson {
  line: number;
  externalId: string;
  displayName: string;
  email: string;
  status: string;
  attributes: [name: string, value: string][];
  groups: string[];
  errors: CellError[];
}

/** A rough check of an e-mail address. The service's own rule is stricter. */
const address = /^[^\s@]+@[^\s@]+$/;

/** Maps the rows of a sample as the service does, and finds common errors. */
export function previewOf(mapping: Mapping, { headers, rows }: Pick<Sample, "headers" | "rows">): PreviewPerson[] {
  const map = compileMapping(mapping, headers);
  const known = new Set<string>();
  return rows.map(({ line, cells }) => {
    const { key, fields, groups, errors: unread } = map(cells);
    const id = key.normalize("NFC").trim();
    const hasAllCells = cells.length === headers.length;
    const errors = hasAllCells
      ? [...unread, ...problemsOf(id, text(fields["email"]), known)]
      : [wrongCellCount(cells.length, headers.length)];
    if (hasAllCells) known.add(id);
    const given = (fields["attributes"] ?? {}) as Record<string, unknown>;
    return {
      line,
      externalId: key,
      displayName: text(fields["displayName"]),
      email: text(fields["email"]),
      status: text(fields["status"]),
      attributes: Object.entries(given).map(([name, value]): [string, string] => [name, text(value)]),
      groups: groups ?? [],
      errors,
    };
  });
}

const wrongCellCount = (found: number, wanted: number): CellError => ({
  column: null,
  code: "wrong_column_count",
  message: `The row has ${found} cells and the first line has ${wanted}. A cell that holds the separator must be quoted.`,
});

function problemsOf(id: string, email: string, known: ReadonlySet<string>): CellError[] {
  const problem = (code: string, message: string) => [{ column: null, code, message }];
  return [
    ...(id === "" ? problem("missing_external_id", "The id of the person is empty.") : []),
    ...(id !== "" && known.has(id)
      ? problem("duplicate_external_id", "An earlier row has the same id. Only the first one counts.")
      : []),
    ...(email !== "" && !address.test(email) ? problem("invalid_value", "The e-mail address is not one.") : []),
  ];
}

const text = (value: unknown) =>
  value === true
    ? "Yes"
    : value === false
      ? "No"
      : typeof value === "string" || typeof value === "number"
        ? String(value)
        : "";
