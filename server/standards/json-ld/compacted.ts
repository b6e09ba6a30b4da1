import { isObject, type Json, type JsonObject } from "../json";
import { idReader } from "./inline-contexts";

/**
 * Writes a document as its readers expect it. JSON-LD has several spellings of one value: the value itself, a list of
 * one, a list of lists, a list that repeats it or also holds null, and `{"@value": …}` with a type or without a language.
 * The graph is the same, and so is the signature over it: whoever holds a signed file can write it in each of these ways.
 * Ids are written in full, and criteria that are named by an id alone as an object. Several texts are ordered by language and letter, because a graph has no order.
 */
export const compacted = (document: JsonObject): JsonObject => objectOf(document, idReader(document));

type ReadId = ReturnType<typeof idReader>;

function objectOf(value: JsonObject, read: ReadId): JsonObject {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => {
      if (name === "@context" || name === "proof") return [[name, each]];
      const found = each === undefined ? undefined : valueOf(each, read);
      if (found === undefined) return [];
      if (name === "criteria" && typeof found === "string") return [[name, { id: read(found)! }]];
      return [[name, name === "id" ? (read(found) ?? found) : found]];
    }),
  );
}

/** Returns undefined for what states nothing: null and lists without a value. */
function valueOf(value: Json, read: ReadId): Json | undefined {
  if (Array.isArray(value)) return listOfValues(value.flat(Infinity as 1), read);
  if (value === null) return undefined;
  if (!isObject(value)) return value;
  return "@value" in value ? (value["@value"] ?? undefined) : objectOf(value, read);
}

function listOfValues(list: readonly Json[], read: ReadId): Json | undefined {
  const found = list.flatMap((each) => {
    const value = valueOf(each, read);
    return value === undefined
      ? []
      : [{ value, order: `${languageOf(each)} ${String(value)}`, language: languageOf(each) }];
  });
  const isOfTexts = !found.some(({ value }) => isObject(value));
  const values = (isOfTexts ? found.toSorted((a, b) => (a.order < b.order ? -1 : 1)) : found).map(
    ({ value, language }) => (language === "" ? value : { "@value": value, "@language": language }),
  );
  const distinct = [...new Map(values.map((each, at) => [keyOf(each, at), each])).values()];
  return distinct.length > 1 ? distinct : found[0]?.value;
}

const languageOf = (value: Json): string =>
  isObject(value) && "@value" in value && typeof value["@language"] === "string" ? value["@language"] : "";

/** Two things without an id are two, even if they state the same. */
const keyOf = (value: Json, at: number): string =>
  isObject(value) && value["id"] === undefined && value["@value"] === undefined ? `#${at}` : JSON.stringify(value);
