import { hash } from "node:crypto";
import type { AchievementContent } from "@/server/achievements/content";
import { isStatus, resultOf } from "@/server/achievements/result-of";
import { achievementImageUrl, achievementUrl } from "@/server/achievements/view";
import { uuidOf, type Id } from "@/server/core/ids";
import type { JsonObject } from "@/server/standards/json";
import { signableUrl } from "@/server/standards/vcdm/forms";

/** The id of a result description, by the URL of its achievement. */
export const resultUrl = (achievement: string, key: string): string => `${achievement}#${key}`;
const levelUrl = (achievement: string, key: string, level: string) => `${resultUrl(achievement, key)}/${level}`;

/** A version of an achievement, with the SHA-256 of its picture. */
export interface StatedAchievement {
  id: Id<"acv">;
  name: string;
  content: AchievementContent;
  image: string | null;
}

/** Writes a version of an achievement in the format of Open Badges 3.0 (`Achievement`). Absent fields are left out. */
export function achievementDocument({ id, name, content, image }: StatedAchievement): JsonObject {
  const url = achievementUrl(id);
  const { achievementType, creditsAvailable, fieldOfStudy, specialization, humanCode, inLanguage } = content;
  return filled({
    id: url,
    type: ["Achievement"],
    name,
    description: content.description,
    image: image && { id: achievementImageUrl(id, image), type: "Image", caption: name },
    criteria: criteriaDocument(content.criteria, name),
    achievementType,
    creditsAvailable,
    fieldOfStudy,
    specialization,
    humanCode,
    inLanguage,
    tag: content.tags,
    alignment: content.alignments.map((each) =>
      filled({ type: ["Alignment"], ...each, targetUrl: signableUrl(each.targetUrl) }),
    ),
    resultDescription: content.resultDescriptions.map((each) => resultDescription(url, each)),
  });
}

/**
 * The standard requires criteria. If they consist only of an address that cannot be signed, the achievement's name is
 * used.
 */
function criteriaDocument({ url, narrative }: AchievementContent["criteria"], name: string): JsonObject {
  const id = url === undefined ? undefined : signableUrl(url);
  return filled({ id, narrative: narrative ?? (id === undefined ? name : undefined) });
}

function resultDescription(
  achievement: string,
  { key, allowedValues, rubricLevels, requiredLevel, ...same }: AchievementContent["resultDescriptions"][number],
): JsonObject {
  return filled({
    id: resultUrl(achievement, key),
    type: ["ResultDescription"],
    ...same,
    allowedValue: allowedValues,
    rubricCriterionLevel: rubricLevels?.map(({ key: level, ...rest }) =>
      filled({ id: levelUrl(achievement, key, level), type: ["RubricCriterionLevel"], ...rest }),
    ),
    requiredLevel: requiredLevel && levelUrl(achievement, key, requiredLevel),
  });
}

/**
 * Converts the results in the data of a credential, `results: {<key>: <value>}`, by the result descriptions of its
 * achievement. A value that is the key of a rubric level becomes the achieved level. The value of a result of the type
 * `Status` becomes its `status`, as the standard requires.
 */
export function resultDocuments(url: string, content: AchievementContent, data: Record<string, unknown>): JsonObject[] {
  return content.resultDescriptions.flatMap(({ key, resultType, rubricLevels }) => {
    const value = resultOf(data, key);
    if (value === null) return [];
    const isLevel = rubricLevels?.some((level) => level.key === value) ?? false;
    return [
      {
        type: ["Result"],
        resultDescription: resultUrl(url, key),
        ...(isLevel
          ? { achievedLevel: levelUrl(url, key, value) }
          : isStatus(resultType, value)
            ? { status: value }
            : { value }),
      },
    ];
  });
}

/** The achievement for credentials whose template names none. Only the template's name is known. */
export function minimalAchievement(templateId: Id<"tpl">, name: string, issuer: string): JsonObject {
  return {
    id: namedAfter(templateId),
    type: ["Achievement"],
    name,
    description: name,
    criteria: { narrative: `Awarded by ${issuer}.` },
  };
}

/** Derives a UUIDv8 (RFC 9562) from the hash of an id: stable, and without revealing the id. */
function namedAfter(id: Id): string {
  const hex = hash("sha256", uuidOf(id), "hex");
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Leaves out empty members. */
export function filled(fields: Record<string, unknown>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) =>
        value !== null && value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0),
    ),
  ) as JsonObject;
}
