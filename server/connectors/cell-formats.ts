/** The supported date formats. A mapping must name one, because a date such as 03/04/2026 is ambiguous. */
export const dateFormats = [
  "YYYY-MM-DD",
  "YYYY/MM/DD",
  "YYYYMMDD",
  "DD/MM/YYYY",
  "DD-MM-YYYY",
  "DD.MM.YYYY",
  "MM/DD/YYYY",
  "MM-DD-YYYY",
] as const;
export type DateFormat = (typeof dateFormats)[number];

/** The supported decimal separators. */
export const decimalMarks = [".", ","] as const;
