import { compileMapping, type CellError } from "@/server/connectors/map-row";
import type { Mapping } from "@/server/connectors/mapping";
import type { Sample } from "./read-sample";

/** A person as a row of the sample makes them. */
export interface PreviewPerson {
  line: number;
  externalId: string;
  displayName: string;
  email: string;
  status: string;
  attributes: [name: string, value: string][];
  errors: CellError[];
}

/** Maps the rows of a sample as the service would. */
export function previewOf(mapping: Mapping, { headers, rows }: Pick<Sample, "headers" | "rows">): PreviewPerson[] {
  const map = compileMapping(mapping, headers);
  return rows.map(({ line, cells }) => {
    const { key, fields, errors } = map(cells);
    const given = (fields["attributes"] ?? {}) as Record<string, unknown>;
    return {
      line,
      externalId: key,
      displayName: text(fields["displayName"]),
      email: text(fields["email"]),
      status: text(fields["status"]),
      attributes: Object.entries(given).map(([name, value]): [string, string] => [name, text(value)]),
      errors:
        key === "" ? [...errors, { column: null, code: "missing_external_id", message: "The id is empty." }] : errors,
    };
  });
}

const text = (value: unknown) =>
  value === true
    ? "Yes"
    : value === false
      ? "No"
      : typeof value === "string" || typeof value === "number"
        ? String(value)
        : "";
