import { achievementTypes, resultTypes } from "@/server/achievements/vocabulary";

/** Terms of the standard that read badly when they are taken apart. */
const own: Record<string, string> = {
  CoCurricular: "Co-curricular activity",
  GeneralEducationDevelopment: "General education development (GED)",
  Result: "Other result",
};

/** A term of the standard as people read it, such as "Bachelor degree" for BachelorDegree; `ext:` terms without it. */
export function typeWords(term: string): string {
  if (own[term]) return own[term];
  const plain = term.replace(/^ext:/, "").replaceAll(/([a-z])([A-Z])/g, "$1 $2");
  return plain.slice(0, 1) + plain.slice(1).toLowerCase();
}

/** The terms to choose from, and one of an organisation's own where it was chosen by API. */
const optionsOf = (terms: readonly string[]) => (chosen: string) =>
  [...terms, ...(chosen && !terms.includes(chosen) ? [chosen] : [])].map((value) => ({
    value,
    label: typeWords(value),
  }));

export const achievementTypeOptions = optionsOf(achievementTypes);
export const resultTypeOptions = optionsOf(resultTypes);
