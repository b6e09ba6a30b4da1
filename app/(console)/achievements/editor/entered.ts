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
  /** What the form does not show, kept as it is. */
  rest: object;
}
export interface EnteredResult {
  key: string;
  name: string;
  resultType: string;
  allowedValues: string;
  requiredValue: string;
  valueMin: string;
  valueMax: string;
  /** What the form does not show, kept as it is. */
  rest: object;
}

/** The content of a version as it stands in the form: text, as people type it. */
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
    resultDescriptions: version.resultDescriptions.map(
      ({ key, name, resultType, allowedValues = [], requiredValue = "", valueMin = "", valueMax = "", ...rest }) => ({
        key,
        name,
        resultType,
        allowedValues: allowedValues.join(", "),
        requiredValue,
        valueMin,
        valueMax,
        rest,
      }),
    ),
    creditsAvailable: version.creditsAvailable === null ? "" : String(version.creditsAvailable),
    fieldOfStudy: version.fieldOfStudy ?? "",
    specialization: version.specialization ?? "",
    humanCode: version.humanCode ?? "",
    inLanguage: version.inLanguage ?? "",
  };
}

/** What the API takes. What cannot be read is sent as it was typed, so that the answer says what is wrong where. */
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
    resultDescriptions: entered.resultDescriptions.map(({ key, name, resultType, allowedValues, rest, ...more }) => ({
      ...rest,
      key,
      name,
      resultType,
      ...(several(allowedValues).length > 0 && { allowedValues: several(allowedValues) }),
      ...filled(more),
    })),
    creditsAvailable: numberOf(entered.creditsAvailable),
    fieldOfStudy: entered.fieldOfStudy.trim() || null,
    specialization: entered.specialization.trim() || null,
    humanCode: entered.humanCode.trim() || null,
    inLanguage: entered.inLanguage.trim() || null,
  } as Content;
}

/** The texts that hold something. */
const filled = (texts: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).flatMap(([name, text]) => (text.trim() ? [[name, text.trim()]] : [])));

/** The parts of a text between commas. */
const several = (text: string): string[] =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

function numberOf(text: string): number | string | null {
  const plain = text.trim();
  if (plain === "") return null;
  return Number.isNaN(Number(plain)) ? text : Number(plain);
}

/** A key for a further result, which no other has. */
export function freshKey(taken: readonly string[]): string {
  let n = taken.length + 1;
  while (taken.includes(`result${n}`)) n++;
  return `result${n}`;
}
