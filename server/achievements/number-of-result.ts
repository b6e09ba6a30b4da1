import { isDecimal } from "@/server/core/decimal";
import { numericResultTypes } from "./vocabulary";

interface Range {
  resultType: string;
  valueMin?: string | undefined;
  valueMax?: string | undefined;
}

/**
 * Says why a text is not a value of a result that holds numbers: a result of a numeric type, or one with bounds. Null
 * for a number within the bounds, and for results that hold no numbers. A percentage is from 0 to 100 by default.
 */
export function wrongNumber({ resultType, valueMin, valueMax }: Range, text: string): string | null {
  const [low, high] = resultType === "Percent" ? ["0", "100"] : [];
  const [min, max] = [valueMin ?? low, valueMax ?? high].map((bound) =>
    bound !== undefined && isDecimal(bound) ? Number(bound) : null,
  ) as [number | null, number | null];
  const hasBounds = min !== null || max !== null;
  if (!hasBounds && !numericResultTypes.includes(resultType)) return null;
  const fits = isDecimal(text) && Number(text) >= (min ?? -Infinity) && Number(text) <= (max ?? Infinity);
  if (fits) return null;
  if (!hasBounds) return "must be a number";
  const range = min === null ? `at most ${max}` : max === null ? `at least ${min}` : `from ${min} to ${max}`;
  return `must be a number, ${range}`;
}
