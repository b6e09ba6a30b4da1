/** Whether a cell's number is a plain number, a date or a time. */
export type NumberKind = "number" | "date" | "time";

const dayMs = 86_400_000;
/** The day with serial number 0 in the two date systems of workbooks. */
const epochs = { 1900: Date.UTC(1899, 11, 30), 1904: Date.UTC(1904, 0, 1) } as const;
export type Calendar = keyof typeof epochs;

/** The built-in formats that are dates or times (ECMA-376, 18.8.30). */
const builtIn: Record<number, NumberKind> = Object.fromEntries([
  ...[14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map((id) => [id, "date"]),
  ...[18, 19, 20, 21, 32, 33, 34, 35, 45, 46, 47, 55, 56].map((id) => [id, "time"]),
]) as Record<number, NumberKind>;

/** @param code the custom format with this id; undefined for built-in formats */
export function numberKind(id: number, code: string | undefined): NumberKind {
  if (code === undefined) return builtIn[id] ?? "number";
  // Remove literal text, colours and conditions, whose letters do not mean dates; likewise the word General.
  const bare = code.replace(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/g, "").replace(/general/gi, "");
  return /[dy]/i.test(bare) ? "date" : /[hs]/i.test(bare) || /\[(h+|m+|s+)\]/i.test(code) ? "time" : "number";
}

/**
 * Formats a cell's number as text: a date as YYYY-MM-DD, with its time if it has one. A number of more than 15 digits stays
 * in exponential form, such as 1.23456789012346E+17, because Excel has rounded it and it must not be used as an id.
 */
export function numberText(raw: string, kind: NumberKind, calendar: Calendar): string {
  const value = Number(raw);
  if (raw.trim() === "" || !Number.isFinite(value)) return raw;
  if (kind === "number") return Math.abs(value) >= 1e15 ? value.toExponential(14).toUpperCase() : plain(value);
  // Excel counts 29 February 1900, a day that did not exist.
  const days = calendar === 1900 && value < 60 && value >= 1 ? value + 1 : value;
  const time = new Date(Math.round((epochs[calendar] + days * dayMs) / 1000) * 1000);
  if (Number.isNaN(time.getTime()) || time.getUTCFullYear() > 9999 || days < 0) return raw;
  const [date, clock] = time.toISOString().slice(0, 19).split("T") as [string, string];
  if (kind === "time" && days < 1) return clock;
  return clock === "00:00:00" ? date : `${date}T${clock}`;
}

/** Formats a number without an exponent and without binary rounding errors, so that 0.1 stays 0.1. */
function plain(value: number): string {
  const rounded = Number(value.toPrecision(15));
  const text = String(rounded);
  return text.includes("e") ? rounded.toFixed(20).replace(/0+$/, "").replace(/\.$/, "") : text;
}
