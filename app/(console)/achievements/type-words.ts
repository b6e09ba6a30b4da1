import { achievementTypes, resultTypes } from "@/server/achievements/vocabulary";

/** Terms of the standard that read badly if they are only split into words. */
const own: Record<string, string> = {
  CoCurricular: "Co-curricular activity",
  GeneralEducationDevelopment: "General education development (GED)",
  Result: "Other result",
};

/**
 * Returns a term of the standard in words, such as "Bachelor degree" for BachelorDegree; an `ext:` term without its
 * prefix.
 */
export function typeWords(term: string): string {
  if (own[term]) return own[term];
  const plain = term.replace(/^ext:/, "").replaceAll(/([a-z])([A-Z])/g, "$1 $2");
  return plain.slice(0, 1) + plain.slice(1).toLowerCase();
}

/** The terms to choose from, including a term of the organisation's own that was set through the API. */
const optionsOf = (terms: readonly string[]) => (chosen: string) =>
  [...terms, ...(chosen && !terms.includes(chosen) ? [chosen] : [])].map((value) => ({
    value,
    label: typeWords(value),
  }));

export const achievementTypeOptions = optionsOf(achievementTypes);
export const resultTypeOptions = optionsOf(resultTypes);
