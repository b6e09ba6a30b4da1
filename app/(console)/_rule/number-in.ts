import { isDecimal } from "@/server/core/decimal";

/**
 * The number that a text is; null, which no rule takes, for another text. A comma before three digits may part the
 * thousands or begin the decimals, so it is no number.
 */
export function numberIn(text: string): number | null {
  const typed = text.trim();
  if (/,\d{3}$/.test(typed)) return null;
  const plain = typed.replace(",", ".");
  return isDecimal(plain) ? Number(plain) : null;
}
