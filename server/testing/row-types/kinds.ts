import pg from "pg";
import ts from "typescript-api";

/** What JavaScript gets from a column. `any` stands for JSON, and for types that say nothing. */
export type Kind = "string" | "number" | "boolean" | "date" | "bytes" | "list" | "object" | "any";

/** Returns the properties of a row type, with the kinds that each can have besides null. */
export function columnsOf(checker: ts.TypeChecker, row: ts.Type, at: ts.Node) {
  // For a union, only the properties that all alternatives have, because the alternative of a row depends on its
  // values.
  return new Map(
    checker.getPropertiesOfType(row).map((property) => {
      const type = checker.getTypeOfSymbolAtLocation(property, at);
      const parts = type.isUnion() ? type.types : [type];
      const kinds = parts.flatMap((part) => kindOf(checker, part) ?? []);
      return [property.name, { kinds: new Set(kinds), isOptional: (property.flags & ts.SymbolFlags.Optional) !== 0 }];
    }),
  );
}

function kindOf(checker: ts.TypeChecker, type: ts.Type): Kind | undefined {
  const { flags } = type;
  if (flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined | ts.TypeFlags.Never)) return undefined;
  if (flags & ts.TypeFlags.StringLike) return "string";
  if (flags & ts.TypeFlags.NumberLike) return "number";
  if (flags & ts.TypeFlags.BooleanLike) return "boolean";
  if (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return "any";
  // A branded text, such as an id.
  if (type.isIntersection() && type.types.some((part) => part.flags & ts.TypeFlags.StringLike)) return "string";
  if (checker.isArrayType(type) || checker.isTupleType(type)) return "list";
  const name = type.getSymbol()?.name ?? "";
  if (name === "Date") return "date";
  if (name === "Id") return "string";
  if (name === "Buffer" || name === "Uint8Array") return "bytes";
  return "object";
}

const { builtins } = pg.types;
const byType = new Map<number, Kind>([
  [builtins.BOOL, "boolean"],
  ...[builtins.INT2, builtins.INT4, builtins.INT8, builtins.FLOAT4, builtins.FLOAT8, builtins.OID].map(
    (type): [number, Kind] => [type, "number"],
  ),
  ...[builtins.DATE, builtins.TIMESTAMP, builtins.TIMESTAMPTZ].map((type): [number, Kind] => [type, "date"]),
  [builtins.BYTEA, "bytes"],
  [builtins.JSON, "any"],
  [builtins.JSONB, "any"],
  [builtins.INTERVAL, "object"],
]);

/** What pg makes of a column of this type (`types` in server/core/db.ts). `isList` tells PostgreSQL's arrays. */
export const kindOfColumn = (type: number, isList: boolean): Kind => (isList ? "list" : (byType.get(type) ?? "string"));

/** Whether a column of a kind fits what the row type says. */
export function fits(column: Kind, said: Set<Kind>): boolean {
  if (said.size === 0 || said.has("any")) return true;
  // JSON can be anything but what only pg makes of other types.
  if (column === "any") return !said.has("date") && !said.has("bytes");
  return [...said].every((each) => each === column);
}
