import { isDecimal } from "@/server/core/decimal";

/**
 * Returns the number that a text states; null for other text, which no rule accepts. A comma before three digits is
 * refused, because it may group thousands or begin the decimals.
 */
export function numberIn(text: string): number | null {
  const typed = text.trim();
  if (/,\d{3}$/.test(typed)) return null;
  const plain = typed.replace(",", ".");
  return isDecimal(plain) ? Number(plain) : null;
}
