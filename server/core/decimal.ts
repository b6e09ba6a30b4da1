// Decimal numbers as people write them. The server and the browser use this one module, so that what is accepted as a
// number is what a card can show.

/** Decimal places that Intl.NumberFormat can write. */
const maxPlaces = 100;

const decimal = new RegExp(String.raw`^-?(?:0|[1-9]\d*)(?:\.\d{1,${maxPlaces}})?$`);

/** True for a number in decimal notation, such as -12.50: no exponent, hexadecimal, spaces or leading zeros. */
export const isDecimal = (text: string): boolean => decimal.test(text);

/**
 * Reads a number as people of a locale write it, without separators of thousands: 12,5 in German is 12.5.
 * @returns the number in decimal notation; null if it is none, or may mean two: 1.234 is more than a thousand in German
 */
export function readDecimal(text: string, locale: string): string | null {
  const hasComma = new Intl.NumberFormat(locale).format(0.5).includes(",");
  if (hasComma && /\.\d{3}$/.test(text)) return null;
  const plain = hasComma ? text.replace(",", ".") : text;
  return isDecimal(plain) ? plain : null;
}

/**
 * Writes a number with the separators of a locale and with all of its digits: 1234567.50 as 1,234,567.50. A text is not
 * turned into a double, which would change digits after the 15th.
 */
export function formatDecimal(number: number | string, locale: string): string {
  const text = String(number);
  const places = /\.(\d+)$/.exec(text)?.[1]!.length ?? 0;
  // A double such as 1e-7 has an exponent in its text.
  const most = isDecimal(text) ? places : maxPlaces;
  const format = new Intl.NumberFormat(locale, { minimumFractionDigits: places, maximumFractionDigits: most });
  return format.format(text as `${number}`);
}
