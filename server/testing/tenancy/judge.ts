import { isDeepStrictEqual } from "node:util";
import type { Exception } from "./exceptions";
import type { Recorded } from "./record";
import { unboundTables, type Catalogue, type Given } from "./unbound-tables";

export interface Rules {
  catalogue: Catalogue;
  exceptions: Exception[];
  references: Given["references"];
}

/** Returns what is wrong with recorded statements, one sentence for each fault. */
export function violations(recorded: Recorded[], { catalogue, exceptions, references }: Rules): string[] {
  return recorded.flatMap(({ file, text, isLookUp }) => {
    const exception = exceptions.find((each) => each.file === file);
    const tables = isLookUp === (exception?.isLookUp ?? false) ? (exception?.tables ?? []) : [];
    const shown = `\n    ${text.replaceAll(/\s+/g, " ").trim().slice(0, 400)}`;
    if (isLookUp && !exception?.isLookUp)
      return [`${file} calls lookUp, which server/testing/tenancy/exceptions.ts does not allow it:${shown}`];
    const unbound = unboundTables(text, catalogue, { tables, references });
    return unbound.length === 0 ? [] : [`${file} does not bind org_id of ${unbound.join(", ")}:${shown}`];
  });
}

/**
 * Returns the exceptions that no statement needs, as `file: table`. Meaningful only if every statement was recorded.
 */
export function unneeded(recorded: Recorded[], { catalogue, exceptions, references }: Rules): string[] {
  return exceptions.flatMap(({ file, tables }) => {
    const texts = recorded.filter((each) => each.file === file).map(({ text }) => text);
    const unboundWith = (given: string[]) =>
      texts.map((text) => unboundTables(text, catalogue, { tables: given, references }));
    return tables
      .filter((table) => isDeepStrictEqual(unboundWith(tables), unboundWith(tables.filter((each) => each !== table))))
      .map((table) => `${file}: ${table}`);
  });
}
