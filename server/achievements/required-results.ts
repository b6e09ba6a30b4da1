import { isDecimal } from "@/server/core/decimal";
import type { InputIssue } from "@/server/core/errors";
import { invalidInput } from "@/server/core/input";
import { jsonPointer } from "@/server/core/json-pointer";
import type { AchievementContent } from "./content";
import { isStatus } from "./result-of";
import { resultStatuses } from "./vocabulary";

/** What a version of an achievement says of the results and credits that a credential may state. */
export type ResultRules = Pick<AchievementContent, "resultDescriptions" | "creditsAvailable">;

/** SQL: the ResultRules of a row of `achievement_versions`. */
export const resultRulesJson = (version: string) =>
  `jsonb_build_object('resultDescriptions', ${version}.content -> 'resultDescriptions', 'creditsAvailable', ${version}.content -> 'creditsAvailable')`;

type Result = AchievementContent["resultDescriptions"][number];

/**
 * Checks the results and credits in the data of a credential that states an achievement: what is signed cannot be
 * corrected. Without result descriptions, `results` is the organisation's own.
 * @throws DomainError invalid_request, with a pointer below `/data` to each value that does not fit
 */
export function requireResults(rules: ResultRules, data: Record<string, unknown>): void {
  const issues = [...creditIssues(rules, data["creditsEarned"]), ...resultIssues(rules, data["results"])];
  if (issues.length > 0) throw invalidInput(issues);
}

function creditIssues({ creditsAvailable }: ResultRules, earned: unknown): InputIssue[] {
  if (earned === undefined || earned === null) return [];
  const most = creditsAvailable ?? Infinity;
  if (typeof earned === "number" && earned >= 0 && earned <= most) return [];
  const range = creditsAvailable === null ? "0 or more" : `from 0 to ${creditsAvailable}, which the achievement gives`;
  return [{ pointer: "/data/creditsEarned", code: "invalid_value", message: `must be a number, ${range}` }];
}

function resultIssues({ resultDescriptions }: ResultRules, results: unknown): InputIssue[] {
  if (resultDescriptions.length === 0 || results === undefined || results === null) return [];
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

/** Why a value is not one of the result; null for one that is. */
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
  const bounds = [valueMin, valueMax].map((bound) => (bound !== undefined && isDecimal(bound) ? Number(bound) : null));
  const [min, max] = bounds as [number | null, number | null];
  if (min === null && max === null) return null;
  const fits = isDecimal(text) && Number(text) >= (min ?? -Infinity) && Number(text) <= (max ?? Infinity);
  if (fits) return null;
  const range = min === null ? `at most ${max}` : max === null ? `at least ${min}` : `from ${min} to ${max}`;
  return `must be a number, ${range}`;
}
