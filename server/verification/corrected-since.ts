import { isDeepStrictEqual } from "node:util";
import { resultOf } from "@/server/achievements/result-of";
import { isDay, isInstant } from "@/server/core/dates";
import { sql } from "@/server/core/db";
import { isObject, listOf, textOf, type JsonObject } from "@/server/standards/json";
import { signableUrl } from "@/server/standards/vcdm/forms";
import type { Check } from "./checks";
import { achievementOf, subjectOf, wordOf } from "./document-parts";
import { scalar } from "./document-results";
import type { CredentialEvidence } from "./evidence";

/** The differences between the record of a credential and a document that was signed earlier. */
export interface Corrected {
  /** The keys of the document's fields that are out of date: see documentFields. */
  keys: string[];
  /** What they are, in words. */
  labels: string[];
}

type Data = Record<string, unknown>;

/** The text for a difference in evidence. */
export const evidenceLabel = "evidence";

/**
 * Compares a document of this service with the record of its credential: results, credits, evidence and the day of the
 * award. The record can be corrected, but a correction does not reach a file that somebody already has.
 */
export async function correctedSince(evidence: CredentialEvidence, document: JsonObject): Promise<Corrected> {
  const nothing = { keys: [], labels: [] };
  if (evidence.erased_at) return nothing;
  const [row] = await sql<{ data: Data }>(`SELECT data FROM credentials WHERE org_id = $1 AND id = $2`, [
    evidence.org_id,
    evidence.id,
  ]);
  if (!row) return nothing;
  const found = [
    ...results(document, row.data),
    ...(isSameNumber(subjectOf(document)["creditsEarned"], row.data["creditsEarned"])
      ? []
      : [{ keys: ["creditsEarned"], label: "credits" }]),
    ...(isSameDay(textOf(document["awardedDate"]), row.data["awardedDate"], evidence.valid_from)
      ? []
      : [{ keys: ["awardedDate"], label: "the day of the award" }]),
    ...evidencePieces(document, row.data),
  ];
  return { keys: found.flatMap(({ keys }) => keys), labels: [...new Set(found.map(({ label }) => label))] };
}

/** Says that the file is older than the record. This does not affect the decision; the record is shown. */
export const correctedCheck = (labels: string[]): Check => ({
  name: "record",
  outcome: "skipped",
  detail: `The record was corrected after this file was signed: ${labels.join(", ").slice(0, 500)}. Only the record counts. Ask the holder for a new file.`,
});

interface Difference {
  keys: string[];
  label: string;
}

function results(document: JsonObject, data: Data): Difference[] {
  const stated = listOf(subjectOf(document)["result"]).filter(isObject);
  const descriptions = listOf(achievementOf(document)["resultDescription"]).filter(isObject);
  return descriptions.flatMap((description) => {
    const id = textOf(description["id"]) ?? "";
    const key = /#([A-Za-z][\w-]*)$/.exec(id)?.[1];
    if (key === undefined) return [];
    const at = stated.findIndex((each) => each["resultDescription"] === id);
    const result = at < 0 ? undefined : stated[at];
    const level = textOf(result?.["achievedLevel"])?.slice(id.length + 1);
    const value = (result && (scalar(result["value"]) ?? textOf(result["status"]) ?? level)) ?? null;
    if (value === resultOf(data, key)) return [];
    return [{ keys: at < 0 ? [] : [`result.${at + 1}`], label: wordOf(description["name"]) ?? key }];
  });
}

/** Documents contain no credits that are not a number above 0. */
const isSameNumber = (stated: unknown, recorded: unknown): boolean =>
  (typeof stated === "number" ? stated : null) === (typeof recorded === "number" && recorded >= 0 ? recorded : null);

function isSameDay(stated: string | undefined, recorded: unknown, validFrom: Date): boolean {
  if (stated === undefined) return true;
  if (typeof recorded === "string" && isDay(recorded)) return stated.slice(0, 10) === recorded;
  const time = typeof recorded === "string" && isInstant(recorded) ? Date.parse(recorded) : validFrom.getTime();
  return Date.parse(stated) === time;
}

const written = (url: unknown) => (typeof url === "string" ? signableUrl(url) : undefined);

function evidencePieces(document: JsonObject, data: Data): Difference[] {
  const texts = ["name", "narrative", "description", "genre", "audience"];
  const told = (pieces: unknown[]) =>
    pieces
      .filter((each) => isObject(each as JsonObject))
      .map((each) => texts.map((name) => (each as Data)[name] ?? null));
  const stated = listOf(document["evidence"]);
  const recorded = Array.isArray(data["evidence"]) ? data["evidence"] : [];
  const urls = [stated.map((each) => (each as Data)["id"]), recorded.map((each) => written((each as Data)["url"]))];
  if (isDeepStrictEqual(told(stated), told(recorded)) && isDeepStrictEqual(...(urls as [unknown, unknown]))) return [];
  return [{ keys: stated.map((_, at) => `evidence.${at + 1}`), label: evidenceLabel }];
}
