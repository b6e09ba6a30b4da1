import { z } from "zod";
import { isDecimal } from "@/server/core/decimal";
import { wrongNumber } from "./number-of-result";
import { isPartOfBadges } from "./part-of-badges";
import { named, paragraphs, url } from "./texts";
import { achievementTypes, alignmentTargetTypes, resultStatuses, resultTypes } from "./vocabulary";

/** A term of the standard, or a custom term that begins with `ext:`. */
function term<T extends readonly [string, ...string[]]>(terms: T) {
  const message = `must be one of ${terms.join(", ")}, or begin with ext: and name a type of your own, such as ext:Workshop`;
  // Written twice, because a text is refused with the message of the alternative that accepts any text.
  return z.union([z.enum(terms), z.string().regex(/^ext:[A-Za-z0-9._:/#-]{1,100}$/, message)], message);
}

const key = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, "must begin with a letter and hold letters, digits, _ and - alone");

const criteria = z
  .strictObject({
    narrative: paragraphs(10_000).optional().meta({ description: "What must be done to earn it, in Markdown." }),
    url: url
      .refine(
        (text) => !isPartOfBadges(text),
        "must be a page of yours: by this address, the service names a part of the credentials",
      )
      .optional()
      .meta({ description: "A page that says what must be done to earn it." }),
  })
  .refine((value) => value.narrative !== undefined || value.url !== undefined, {
    path: ["narrative"],
    message: "must say what has to be done to earn it, unless url names a page that says so",
  });

const alignment = z.strictObject({
  targetName: named(300),
  targetUrl: url,
  targetDescription: paragraphs(2000).optional(),
  targetFramework: named(300).optional(),
  targetCode: named(200).optional(),
  targetType: term(alignmentTargetTypes).optional(),
});

const rubricLevel = z.strictObject({
  key,
  name: named(200),
  level: named(100).optional(),
  points: named(50).optional(),
  description: paragraphs(1000).optional(),
});

const resultDescription = z
  .strictObject({
    key: key.meta({ description: "Names the result in the data of a credential. Unique in the version." }),
    name: named(200),
    resultType: term(resultTypes),
    allowedValues: z.array(named(100)).min(1).max(50).optional(),
    requiredValue: named(100).optional(),
    valueMin: named(50).optional(),
    valueMax: named(50).optional(),
    rubricLevels: z.array(rubricLevel).min(1).max(20).optional(),
    requiredLevel: key.optional().meta({ description: "The key of the lowest rubric level that passes." }),
  })
  .superRefine((value, issue) => {
    const {
      resultType,
      allowedValues = [],
      requiredValue,
      rubricLevels = [],
      requiredLevel,
      valueMin,
      valueMax,
    } = value;
    for (const [at, status] of allowedValues.entries()) {
      if (resultType === "Status" && !Object.hasOwn(resultStatuses, status))
        issue.addIssue({ code: "custom", path: ["allowedValues", at], message: noStatus });
    }
    if (["Status", "LetterGrade"].includes(resultType) && rubricLevels.length > 0)
      issue.addIssue({
        code: "custom",
        path: ["rubricLevels"],
        message: `cannot be given for the type ${resultType}: name its values in allowedValues`,
      });
    if (resultType === "Status" && requiredValue !== undefined && !Object.hasOwn(resultStatuses, requiredValue))
      issue.addIssue({ code: "custom", path: ["requiredValue"], message: noStatus });
    if (resultType === "RubricCriterionLevel" && rubricLevels.length === 0)
      issue.addIssue({ code: "custom", path: ["rubricLevels"], message: "are needed for a rubric: name its levels" });
    for (const at of repeatedIn(allowedValues)) issue.addIssue(repeated(["allowedValues", at]));
    for (const [path, bound] of Object.entries({ valueMin, valueMax }))
      if (bound !== undefined && !isDecimal(bound))
        issue.addIssue({ code: "custom", path: [path], message: "must be a number such as 100 or 1.5" });
    const stated: [PropertyKey[], string][] = allowedValues.map((text, at) => [["allowedValues", at], text]);
    if (requiredValue !== undefined) stated.push([["requiredValue"], requiredValue]);
    for (const [path, text] of stated) {
      const wrong = wrongNumber({ resultType, valueMin, valueMax }, text);
      if (wrong) issue.addIssue({ code: "custom", path, message: wrong });
    }
    if (valueMin !== undefined && valueMax !== undefined && areReversed(valueMin, valueMax))
      issue.addIssue({ code: "custom", path: ["valueMax"], message: "must not be below valueMin" });
    if (requiredValue !== undefined && allowedValues.length > 0 && !allowedValues.includes(requiredValue))
      issue.addIssue({ code: "custom", path: ["requiredValue"], message: "is not one of allowedValues" });
    const keys = rubricLevels.map((each) => each.key);
    if (requiredLevel !== undefined && !keys.includes(requiredLevel))
      issue.addIssue({ code: "custom", path: ["requiredLevel"], message: "is not the key of a rubric level" });
    for (const at of repeatedIn(keys)) issue.addIssue(repeated(["rubricLevels", at, "key"]));
  });

const noStatus = `must be one of ${Object.keys(resultStatuses).join(", ")}, the statuses of Open Badges`;

const areReversed = (min: string, max: string) => isDecimal(min) && isDecimal(max) && Number(max) < Number(min);

const repeatedIn = (keys: string[]) => keys.flatMap((each, at) => (keys.indexOf(each) < at ? [at] : []));
const repeated = (path: PropertyKey[]) => ({
  code: "custom" as const,
  path,
  params: { code: "repeated" },
  message: "is given twice",
});

const resultDescriptions = z
  .array(resultDescription)
  .max(20)
  .superRefine((value, issue) => {
    for (const at of repeatedIn(value.map((each) => each.key))) issue.addIssue(repeated([at, "key"]));
  });

/**
 * The content of a version, in the terms of Open Badges 3.0 (`Achievement`). `tags`, `alignments`, `resultDescriptions`
 * and `rubricLevels` are its `tag`, `alignment`, `resultDescription` and `rubricCriterionLevel`; `criteria.url` is the
 * `id` of its `Criteria`.
 */
export const contentFields = {
  description: paragraphs(5000),
  criteria,
  achievementType: term(achievementTypes).nullable().default(null),
  tags: z
    .array(named(100))
    .max(50)
    .overwrite((tags) => [...new Set(tags)])
    .default([]),
  alignments: z.array(alignment).max(20).default([]),
  resultDescriptions: resultDescriptions.default([]),
  creditsAvailable: z.number().min(0).max(1_000_000).nullable().default(null).meta({
    description: "How many credit points it gives at most.",
  }),
  fieldOfStudy: named(200).nullable().default(null),
  specialization: named(200).nullable().default(null),
  humanCode: named(100).nullable().default(null).meta({
    description: "The code by which people know it, such as a number in a course catalogue.",
  }),
  inLanguage: z
    .string()
    .regex(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/, "must be a language tag such as en or pt-BR")
    .nullable()
    .default(null)
    .meta({ description: "The language of these texts." }),
};

/** The whole content of a version, as it is stored. */
export const content = z.strictObject(contentFields);
export type AchievementContent = z.output<typeof content>;

/** The fields that a change can set; an absent field stays as it was. */
export const changedFields = {
  description: contentFields.description.optional(),
  criteria: criteria.optional(),
  achievementType: contentFields.achievementType.unwrap().optional(),
  tags: contentFields.tags.unwrap().optional(),
  alignments: contentFields.alignments.unwrap().optional(),
  resultDescriptions: resultDescriptions.optional(),
  creditsAvailable: contentFields.creditsAvailable.unwrap().optional(),
  fieldOfStudy: contentFields.fieldOfStudy.unwrap().optional(),
  specialization: contentFields.specialization.unwrap().optional(),
  humanCode: contentFields.humanCode.unwrap().optional(),
  inLanguage: contentFields.inLanguage.unwrap().optional(),
};

const contentKeys = Object.keys(contentFields) as (keyof AchievementContent)[];

/** Returns the content after a change: fields that were not sent stay as they were. */
export function changedContent(before: AchievementContent, sent: Record<string, unknown>): AchievementContent {
  return Object.fromEntries(
    contentKeys.map((field) => [field, sent[field] === undefined ? before[field] : sent[field]]),
  ) as AchievementContent;
}

/** Returns only the fields of the content. */
export function contentOf(from: AchievementContent): AchievementContent {
  return changedContent(from, {});
}
