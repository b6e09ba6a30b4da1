/** Every date format that is understood. None is guessed: 03/04/2026 is two days, depending on who wrote it. */
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

/** The marks that numbers can have before their decimals. */
export const decimalMarks = [".", ","] as const;
