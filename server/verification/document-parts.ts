import { isObject, listOf, textOf, type Json, type JsonObject } from "@/server/standards/json";

/** A fact that a document states, labelled for people. Without a format it is plain text. */
export interface DocumentField {
  key: string;
  label: string;
  value: string;
  format?: "text" | "date" | "markdown";
}

/** The most characters of one text of a document that an answer shows. */
export const longestText = 2_000;

/** The text of a value; the first one if it is given in several languages. */
export function wordOf(value: Json | undefined): string | undefined {
  const [first] = listOf(value);
  return textOf(isObject(first) ? first["@value"] : first);
}

export const subjectsOf = (document: JsonObject): JsonObject[] =>
  listOf(document["credentialSubject"]).filter(isObject);

/** The subject that an answer shows: the first one. */
export const subjectOf = (document: JsonObject): JsonObject => subjectsOf(document)[0] ?? {};

export const achievementOf = (document: JsonObject): JsonObject =>
  listOf(subjectOf(document)["achievement"]).find(isObject) ?? {};

export function titleOf(document: JsonObject): string {
  const types = listOf(document["type"]).filter(
    (type): type is string => typeof type === "string" && type !== "VerifiableCredential",
  );
  // A type that no bundled context names is written as its IRI.
  const type = types.at(-1)?.split(/[#/:]/).at(-1);
  return (wordOf(document["name"]) ?? wordOf(achievementOf(document)["name"]) ?? (type || "Credential")).slice(
    0,
    longestText,
  );
}
