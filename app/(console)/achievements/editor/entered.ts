import type { RouterInputs, RouterOutputs } from "@/server/trpc/root";

type Version = RouterOutputs["achievements"]["get"]["version"];
export type Content = Required<
  Pick<
    RouterInputs["achievements"]["create"],
    | "description"
    | "criteria"
    | "achievementType"
    | "tags"
    | "alignments"
    | "resultDescriptions"
    | "creditsAvailable"
    | "fieldOfStudy"
    | "specialization"
    | "humanCode"
    | "inLanguage"
  >
>;

export interface EnteredAlignment {
  targetName: string;
  targetUrl: string;
  targetFramework: string;
  targetCode: string;
  /** The parts that the form does not show, kept unchanged. */
  rest: object;
}
type ResultDescription = Version["resultDescriptions"][number];
type RubricLevel = NonNullable<ResultDescription["rubricLevels"]>[number];

export interface EnteredResult {
  key: string;
  name: string;
  resultType: string;
  allowedValues: string;
  requiredValue: string;
  valueMin: string;
  valueMax: string;
  /** The names of a rubric's levels, one per line. */
  rubricLevels: string;
  /** The name of the lowest level that passes. */
  requiredLevel: string;
  /** The stored levels, with the keys, ranks, points and descriptions that the form does not show. */
  levels: readonly RubricLevel[];
}

/** The content of a version in the state of the form: text as people type it. */
export interface Entered {
  description: string;
  narrative: string;
  url: string;
  achievementType: string;
  tags: string;
  alignments: EnteredAlignment[];
  resultDescriptions: EnteredResult[];
  creditsAvailable: string;
  fieldOfStudy: string;
  specialization: string;
  humanCode: string;
  inLanguage: string;
}

export const labels: Record<keyof Entered, string> = {
  description: "Description",
  narrative: "How it is earned",
  url: "Page about it",
  achievementType: "Type",
  tags: "Tags",
  alignments: "Frameworks",
  resultDescriptions: "Results",
  creditsAvailable: "Credits",
  fieldOfStudy: "Field of study",
  specialization: "Specialisation",
  humanCode: "Code",
  inLanguage: "Language",
};

export const blank: Entered = {
  description: "",
  narrative: "",
  url: "",
  achievementType: "",
  tags: "",
  alignments: [],
  resultDescriptions: [],
  creditsAvailable: "",
  fieldOfStudy: "",
  specialization: "",
  humanCode: "",
  inLanguage: "",
};

export function enteredOf(version: Version): Entered {
  return {
    description: version.description,
    narrative: version.criteria.narrative ?? "",
    url: version.criteria.url ?? "",
    achievementType: version.achievementType ?? "",
    tags: version.tags.join(", "),
    alignments: version.alignments.map(
      ({ targetName, targetUrl, targetFramework = "", targetCode = "", ...rest }): EnteredAlignment => ({
        targetName,
        targetUrl,
        targetFramework,
        targetCode,
        rest,
      }),
    ),
    resultDescriptions: version.resultDescriptions.map(enteredResult),
    creditsAvailable: version.creditsAvailable === null ? "" : String(version.creditsAvailable),
    fieldOfStudy: version.fieldOfStudy ?? "",
    specialization: version.specialization ?? "",
    humanCode: version.humanCode ?? "",
    inLanguage: version.inLanguage ?? "",
  };
}

/**
 * Converts the form to the input of the API. Text that cannot be read is sent as it was typed, so that the answer says
 * what is wrong with it.
 */
export function contentOf(entered: Entered): Content {
  return {
    description: entered.description,
    criteria: filled({ narrative: entered.narrative, url: entered.url }),
    achievementType: entered.achievementType || null,
    tags: several(entered.tags),
    alignments: entered.alignments.map(({ targetName, targetUrl, rest, ...more }) => ({
      ...rest,
      targetName,
      targetUrl: targetUrl.trim(),
      ...filled(more),
    })),
    resultDescriptions: entered.resultDescriptions.map(resultOf),
    creditsAvailable: numberOf(entered.creditsAvailable),
    fieldOfStudy: entered.fieldOfStudy.trim() || null,
    specialization: entered.specialization.trim() || null,
    humanCode: entered.humanCode.trim() || null,
    inLanguage: entered.inLanguage.trim() || null,
  } as Content;
}

function enteredResult(result: ResultDescription): EnteredResult {
  const { key, name, resultType, allowedValues = [], rubricLevels: levels = [], requiredLevel } = result;
  const { requiredValue = "", valueMin = "", valueMax = "" } = result;
  return {
    key,
    name,
    resultType,
    allowedValues: allowedValues.join(", "),
    requiredValue,
    valueMin,
    valueMax,
    rubricLevels: levels.map((level) => level.name).join("\n"),
    requiredLevel: levels.find((level) => level.key === requiredLevel)?.name ?? "",
    levels,
  };
}

/** Returns the inputs that a kind of result has besides its name and key, and any other input that has a value. */
export function inputsOf({ resultType, allowedValues, requiredValue, valueMin, valueMax, levels }: EnteredResult) {
  const isRubric = resultType === "RubricCriterionLevel";
  return {
    hasLevels: isRubric || levels.length > 0,
    hasValues: !isRubric || [allowedValues, requiredValue].some(Boolean),
    hasRange: !(isRubric || resultType === "Status") || [valueMin, valueMax].some(Boolean),
  };
}

function resultOf(entered: EnteredResult) {
  const { key, name, resultType, allowedValues, requiredValue, valueMin, valueMax } = entered;
  const { hasLevels } = inputsOf(entered);
  const rubricLevels = hasLevels ? levelsOf(entered) : [];
  const needed = hasLevels && entered.requiredLevel.trim();
  return {
    key,
    name,
    resultType,
    ...(several(allowedValues).length > 0 && { allowedValues: several(allowedValues) }),
    ...filled({ requiredValue, valueMin, valueMax }),
    ...(rubricLevels.length > 0 && { rubricLevels }),
    // A name that no level has is sent as it was typed, so that the answer says that there is no such level.
    ...(needed && { requiredLevel: rubricLevels.find((level) => level.name === needed)?.key ?? needed }),
  };
}

/**
 * A level that keeps its name also keeps its key, which credentials refer to, and the parts that the form does not
 * show.
 */
function levelsOf({ rubricLevels, levels }: Pick<EnteredResult, "rubricLevels" | "levels">): RubricLevel[] {
  const names = several(rubricLevels, "\n");
  const kept = names.map((name) => levels.find((level) => level.name === name));
  const taken = new Set(levels.map(({ key }) => key));
  return names.map((name, at) => {
    if (kept[at]) return kept[at];
    let n = at + 1;
    while (taken.has(`level${n}`)) n++;
    taken.add(`level${n}`);
    return { key: `level${n}`, name };
  });
}

/** The texts that are not empty. */
const filled = (texts: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).flatMap(([name, text]) => (text.trim() ? [[name, text.trim()]] : [])));

/** Splits a text at commas, or at another character. */
const several = (text: string, between = ","): string[] =>
  text
    .split(between)
    .map((part) => part.trim())
    .filter((part) => part !== "");

function numberOf(text: string): number | string | null {
  const plain = text.trim();
  if (plain === "") return null;
  return Number.isNaN(Number(plain)) ? text : Number(plain);
}

/** Returns an unused key for a further result. */
export function freshKey(taken: readonly string[]): string {
  let n = taken.length + 1;
  while (taken.includes(`result${n}`)) n++;
  return `result${n}`;
}
