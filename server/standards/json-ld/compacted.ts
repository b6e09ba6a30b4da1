import { isObject, type Json, type JsonObject } from "../json";

/**
 * Writes a document as its readers expect it. JSON-LD lets the holder of a signed file write one value also as a list of
 * one, a list of lists, or `{"@value": …}`: the graph is the same, and so the signature over it holds. A reader that
 * expects the value itself would find nothing.
 */
export const compacted = (document: JsonObject): JsonObject => compactedValue(document) as JsonObject;

function compactedValue(value: Json): Json {
  if (Array.isArray(value)) {
    const values = value.flat(Infinity as 1).map(compactedValue);
    return values.length === 1 ? values[0]! : values;
  }
  if (!isObject(value)) return value;
  const names = Object.keys(value);
  if (names.length === 1 && names[0] === "@value") return value["@value"]!;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      each === undefined || name === "@context" || name === "proof" ? each : compactedValue(each),
    ]),
  );
}
