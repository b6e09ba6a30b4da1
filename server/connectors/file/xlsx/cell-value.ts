/** How the numbers of a cell are meant. */
export type NumberKind = "number" | "date" | "time";

const dayMs = 86_400_000;
/** Serial number 0 of both calendars that workbooks can have. */
const epochs = { 1900: Date.UTC(1899, 11, 30), 1904: Date.UTC(1904, 0, 1) } as const;
export type Calendar = keyof typeof epochs;

/** The built-in formats that are dates or times (ECMA-376, 18.8.30). */
const builtIn: Record<number, NumberKind> = Object.fromEntries([
  ...[14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map((id) => [id, "date"]),
  ...[18, 19, 20, 21, 32, 33, 34, 35, 45, 46, 47, 55, 56].map((id) => [id, "time"]),
]) as Record<number, NumberKind>;

/** @param code the format of the workbook's own, where the number names one */
export function numberKind(id: number, code: string | undefined): NumberKind {
  if (code === undefined) return builtIn[id] ?? "number";
  // Quoted and escaped text, colours and conditions say nothing of dates. General has no letter of one.
  const bare = code.replace(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/g, "").replace(/general/gi, "");
  return /[dy]/i.test(bare) ? "date" : /[hs]/i.test(bare) || /\[(h+|m+|s+)\]/i.test(code) ? "time" : "number";
}

/**
 * A number of a cell as text: a date as YYYY-MM-DD, with its time where it has one. A number of more than 15 digits stays
 * as the workbook shows it, such as 1.23456789012346E+17: Excel has rounded it, and no id may come of that.
 */
export function numberText(raw: string, kind: NumberKind, calendar: Calendar): string {
  const value = Number(raw);
  if (raw.trim() === "" || !Number.isFinite(value)) return raw;
  if (kind === "number") return Math.abs(value) >= 1e15 ? value.toExponential(14).toUpperCase() : plain(value);
  // Excel counts a 29 February 1900 that never was.
  const days = calendar === 1900 && value < 60 && value >= 1 ? value + 1 : value;
  const time = new Date(Math.round((epochs[calendar] + days * dayMs) / 1000) * 1000);
  if (Number.isNaN(time.getTime()) || time.getUTCFullYear() > 9999 || days < 0) return raw;
  const [date, clock] = time.toISOString().slice(0, 19).split("T") as [string, string];
  if (kind === "time" && days < 1) return clock;
  return clock === "00:00:00" ? date : `${date}T${clock}`;
}

/** Without an exponent, which small numbers would have, and without the dust of binary fractions: 0.1 is 0.1. */
function plain(value: number): string {
  const rounded = Number(value.toPrecision(15));
  const text = String(rounded);
  return text.includes("e") ? rounded.toFixed(20).replace(/0+$/, "").replace(/\.$/, "") : text;
}
