import { DomainError, type InputIssue } from "@/server/core/errors";
import { invalidInput } from "@/server/core/input";
import { jsonPointer } from "@/server/core/json-pointer";
import type { AchievementContent } from "./content";
import { wrongNumber } from "./number-of-result";
import { isStatus } from "./result-of";
import { resultStatuses } from "./vocabulary";

/**
 * The results and credits that a version of an achievement lets a credential state, and the address of its criteria,
 * which no evidence may have.
 */
export type ResultRules = Pick<AchievementContent, "resultDescriptions" | "creditsAvailable"> & {
  criteriaUrl: string | null;
};

/** SQL: the ResultRules of a row of `achievement_versions`. */
export const resultRulesJson = (version: string) =>
  `jsonb_build_object('resultDescriptions', ${version}.content -> 'resultDescriptions', 'creditsAvailable', ${version}.content -> 'creditsAvailable', 'criteriaUrl', ${version}.content #>> '{criteria,url}')`;

type Result = AchievementContent["resultDescriptions"][number];

/** The rules of an academic credential without an achievement: its document can state only credits. */
const withoutAchievement: ResultRules = { resultDescriptions: [], creditsAvailable: null, criteriaUrl: null };

/**
 * Checks the results and credits in the data of an academic credential. A signed document cannot be corrected, and a
 * result without a description cannot be signed.
 *
 * @param rules those of the stated achievement; null for none
 * @throws DomainError invalid_request, with a pointer below `/data` to each invalid value
 */
export function requireResults(rules: ResultRules | null, data: Record<string, unknown>): void {
  const issues = issuesOf(rules, data);
  if (issues.length > 0) throw invalidInput(issues);
}

/**
 * Does the same as requireResults for data that a new credential takes over from its predecessor, because the
 * achievement may have changed since.
 *
 * @throws DomainError data_outdated, with the same errors
 */
export function requireKeptResults(
  rules: ResultRules | null,
  data: Record<string, unknown>,
  credentialId: string,
): void {
  const issues = issuesOf(rules, data);
  if (issues.length === 0) return;
  const { message, extras } = invalidInput(issues);
  throw new DomainError(
    "data_outdated",
    `What ${credentialId} states does not fit the present version of its achievement. ${message} Reissue it with data that fits.`,
    { ...extras, members: { credentialId } },
  );
}

function issuesOf(given: ResultRules | null, data: Record<string, unknown>): InputIssue[] {
  const rules = given ?? withoutAchievement;
  return [...creditIssues(rules, data["creditsEarned"]), ...resultIssues(rules, data["results"])];
}

function creditIssues({ creditsAvailable }: ResultRules, earned: unknown): InputIssue[] {
  if (earned === undefined || earned === null) return [];
  const most = creditsAvailable ?? Infinity;
  if (typeof earned === "number" && earned >= 0 && earned <= most) return [];
  const range = creditsAvailable === null ? "0 or more" : `from 0 to ${creditsAvailable}, which the achievement gives`;
  return [{ pointer: "/data/creditsEarned", code: "invalid_value", message: `must be a number, ${range}` }];
}

function resultIssues({ resultDescriptions }: ResultRules, results: unknown): InputIssue[] {
  if (results === undefined || results === null) return [];
  if (resultDescriptions.length === 0) return undescribed(results);
  const keys = resultDescriptions.map(({ key }) => key).join(", ");
  if (typeof results !== "object" || Array.isArray(results))
    return [{ pointer: "/data/results", code: "invalid_type", message: `must be an object with the keys ${keys}` }];
  return Object.entries(results).flatMap(([key, value]) => {
    const result = resultDescriptions.find((each) => each.key === key);
    const wrong = result ? wrongIn(result, value) : `is no result of the achievement. Known: ${keys}.`;
    return wrong === null
      ? []
      : [{ pointer: jsonPointer(["data", "results", key]), code: "invalid_value", message: wrong }];
  });
}

/** Refuses results without a description. */
function undescribed(results: unknown): InputIssue[] {
  const keys =
    typeof results === "object" && !Array.isArray(results) ? Object.keys(results!).map((key) => [key]) : [[]];
  return keys.map((key) => ({
    pointer: jsonPointer(["data", "results", ...key]),
    code: "not_supported",
    message:
      "must be left out: the credential states no achievement that describes results, so its document cannot state one",
  }));
}

/** Says why a value is not valid for the result; null for a valid one. */
function wrongIn(
  { resultType, allowedValues, rubricLevels = [], valueMin, valueMax }: Result,
  value: unknown,
): string | null {
  if (value === null) return null;
  if (typeof value !== "string" && typeof value !== "number") return "must be a text or a number";
  const text = String(value);
  if (resultType === "Status" && !isStatus(resultType, text))
    return `must be one of ${Object.keys(resultStatuses).join(", ")}, the statuses of Open Badges`;
  const choices = [...(allowedValues ?? []), ...rubricLevels.map(({ key }) => key)];
  if (choices.length > 0) return choices.includes(text) ? null : `must be one of ${choices.join(", ")}`;
  return wrongNumber({ resultType, valueMin, valueMax }, text);
}
