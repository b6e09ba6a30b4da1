import type { FieldFormat } from "./design";
import { builtInWord } from "@/server/core/built-in-words";
import { formatDay, formatMoment, isDay, isInstant, type Region } from "@/server/core/dates";
import { formatDecimal, isDecimal } from "@/server/core/decimal";

/** Formats a field's value for people; "" if there is none. A value that does not fit its format is shown unchanged. */
export function fieldText(
  { value, format }: { value?: unknown; format: FieldFormat | "markdown" },
  region: Region,
): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value))
    return value
      .map((each) => fieldText({ value: each, format }, region))
      .filter(Boolean)
      .join(", ");
  if (typeof value === "boolean") return builtInWord(value ? "Yes" : "No", region.locale);
  if (typeof value === "object") return JSON.stringify(value);
  const text = String(value);
  if (format === "uppercase") return text.toLocaleUpperCase(region.locale);
  if (format === "number" && (typeof value === "number" || isDecimal(text))) return formatDecimal(text, region.locale);
  if (format === "datetime" || isDayFormat(format)) {
    const style = format === "datetime" ? "long" : dayStyles[format];
    if (isDay(text)) return formatDay(text, region, style);
    if (isInstant(text)) return format === "datetime" ? formatMoment(text, region) : formatDay(text, region, style);
  }
  return text;
}

const dayStyles = { date: "long", date_short: "numeric", month: "month", year: "year" } as const;
type DayFormat = Extract<FieldFormat, keyof typeof dayStyles>;

/** Whether a format writes a day, without its time. */
export const isDayFormat = (format: string): format is DayFormat => Object.hasOwn(dayStyles, format);
