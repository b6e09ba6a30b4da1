import { resultStatuses } from "./vocabulary";

/** Returns the result under a key of a credential's data as text; null for none. */
export function resultOf(data: Record<string, unknown>, key: string): string | null {
  const { results } = data;
  const value =
    typeof results === "object" && results !== null && Object.hasOwn(results, key)
      ? (results as Record<string, unknown>)[key]
      : null;
  return typeof value === "string" || typeof value === "number" ? String(value) : null;
}

/** Whether a value of a result of this type is one of the statuses of Open Badges. */
export const isStatus = (resultType: string, value: string): boolean =>
  resultType === "Status" && Object.hasOwn(resultStatuses, value);

interface ResultType {
  resultType: string;
  rubricLevels?: readonly { key: string; name: string }[] | undefined;
}

/** Formats a value of a result for people: the name of a rubric level, the words of a status, or the value itself. */
export function resultWords({ resultType, rubricLevels }: ResultType, value: string): string {
  const level = rubricLevels?.find(({ key }) => key === value);
  if (level) return level.name;
  if (!isStatus(resultType, value)) return value;
  const words = resultStatuses[value]!;
  return words.charAt(0).toUpperCase() + words.slice(1);
}
