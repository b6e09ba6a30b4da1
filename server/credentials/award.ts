import type { AchievementContent } from "@/server/achievements/content";
import { resultOf, resultWords } from "@/server/achievements/result-of";
import { dayOf, isDay, isInstant } from "@/server/core/dates";
import { evidenceIn, type EvidenceText } from "@/server/templates/evidence-text";
import type { CredentialRow } from "./view";

export type ResultDescription = AchievementContent["resultDescriptions"][number];

/** A result of a credential, as people read it. */
interface StatedResult {
  key: string;
  name: string;
  value: string;
  /** The rank and points of the achieved rubric level, or the value that is needed to pass. */
  remark: string | null;
}

/** The award of an academic credential, in the terms of its version of the achievement. */
export interface Award {
  results: StatedResult[];
  credits: { earned: number; available: number | null } | null;
  evidence: EvidenceText[];
  /** The day of the award, in the organisation's time zone. */
  awardedOn: string;
}

/**
 * Results without a description are listed under their keys: an achievement without descriptions accepts any results.
 */
export function awardOf(
  { data, valid_from }: Pick<CredentialRow, "data" | "valid_from">,
  descriptions: readonly ResultDescription[],
  creditsAvailable: number | null,
  timeZone: string,
): Award {
  const described = descriptions.flatMap((each) => {
    const value = resultOf(data, each.key);
    return value === null
      ? []
      : [{ key: each.key, name: each.name, value: resultWords(each, value), remark: remarkOf(each, value) }];
  });
  const known = new Set(descriptions.map(({ key }) => key));
  const others = Object.keys(data["results"] ?? {}).flatMap((key) => {
    const value = known.has(key) ? null : resultOf(data, key);
    return value === null ? [] : [{ key, name: key, value, remark: null }];
  });
  const { creditsEarned, awardedDate } = data;
  return {
    results: [...described, ...others],
    credits: typeof creditsEarned === "number" ? { earned: creditsEarned, available: creditsAvailable } : null,
    evidence: evidenceIn(data["evidence"]),
    awardedOn: awardedDay(awardedDate, valid_from, timeZone),
  };
}

function awardedDay(awarded: unknown, validFrom: Date, timeZone: string): string {
  if (typeof awarded === "string" && isDay(awarded)) return awarded;
  return dayOf(typeof awarded === "string" && isInstant(awarded) ? awarded : validFrom, timeZone);
}

function remarkOf({ rubricLevels = [], requiredLevel, requiredValue }: ResultDescription, value: string) {
  const level = rubricLevels.find(({ key }) => key === value);
  const needed = rubricLevels.find(({ key }) => key === requiredLevel)?.name ?? requiredValue;
  const parts = [
    level?.level && `Level ${level.level}`,
    level?.points && `${level.points} points`,
    needed && `Needed to pass: ${needed}`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(" · ") : null;
}
