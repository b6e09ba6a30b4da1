import { resultStatuses } from "@/server/achievements/vocabulary";
import { isObject, listOf, textOf, type Json, type JsonObject } from "@/server/standards/json";
import { idOf } from "@/server/standards/vcdm/validate-credential";
import { evidenceText } from "@/server/templates/evidence-text";
import { achievementOf, subjectOf, wordOf, type DocumentField } from "./document-parts";

/** The most results and pieces of evidence in an answer. A transcript has up to about 100 results. */
const most = { results: 100, evidence: 20 };

/**
 * Returns the results of a document (Open Badges 3.0, `Result`), each labelled with the name of its result description. A
 * rubric level is shown by its name.
 */
export function resultFields(document: JsonObject): DocumentField[] {
  const descriptions = listOf(achievementOf(document)["resultDescription"]).filter(isObject);
  const results = listOf(subjectOf(document)["result"]).filter(isObject);
  const shown = results.slice(0, most.results).flatMap((result, at) => {
    const description = descriptions.find(({ id }) => id !== undefined && id === idOf(result["resultDescription"]));
    const value = resultText(result, description);
    const label = (description && wordOf(description["name"])) || "Result";
    return value === "" ? [] : [{ key: `result.${at + 1}`, label, value }];
  });
  return [...shown, ...remark("results", results.length - most.results, "results")];
}

function resultText(result: JsonObject, description: JsonObject | undefined): string {
  const level = idOf(result["achievedLevel"]);
  const levels = listOf(description?.["rubricCriterionLevel"]).filter(isObject);
  const named = level === undefined ? undefined : levels.find(({ id }) => id === level);
  const value = scalar(result["value"]) ?? (named && wordOf(named["name"])) ?? level;
  const status = wordOf(result["status"]);
  const words = status === undefined ? undefined : (resultStatuses[status] ?? status);
  if (value === undefined) return words === undefined ? "" : words.charAt(0).toUpperCase() + words.slice(1);
  return words === undefined ? value : `${value} (${words})`;
}

/** Returns the evidence of a document (Open Badges 3.0, `Evidence`) as Markdown, one field each. */
export function evidenceFields(document: JsonObject): DocumentField[] {
  const pieces = listOf(document["evidence"]).filter(isObject);
  const shown = pieces.slice(0, most.evidence).flatMap((piece, at) => {
    const value = evidenceText({
      name: wordOf(piece["name"]),
      genre: wordOf(piece["genre"]),
      narrative: wordOf(piece["narrative"]),
      description: wordOf(piece["description"]),
      url: textOf(piece["id"]),
    });
    return value === "" ? [] : [{ key: `evidence.${at + 1}`, label: "Evidence", value, format: "markdown" as const }];
  });
  return [...shown, ...remark("evidence", pieces.length - most.evidence, "pieces of evidence")];
}

/** Returns a field that says how many items were left out; no field if none were. */
const remark = (key: string, more: number, what: string): DocumentField[] =>
  more > 0 ? [{ key: `${key}.more`, label: "Not shown", value: `${more.toLocaleString("en")} more ${what}` }] : [];

/**
 * A text, or a number as text: issuers write values of results both ways. A graph holds 12.5 as 1.25E1, so that text is
 * the same value.
 */
export function scalar(value: Json | undefined): string | undefined {
  const text = typeof value === "number" ? String(value) : wordOf(value);
  return text !== undefined && /^-?\d\.\d+E-?\d+$/.test(text) ? String(Number(text)) : text;
}
