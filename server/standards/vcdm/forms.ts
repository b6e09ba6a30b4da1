/** XML Schema's dateTimeStamp, which VCDM 2.0 requires (section 4.9): a date and time with seconds and a time zone. */
const stamp =
  /^-?(?:[1-9]\d{3,}|0\d{3})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:Z|[+-](?:(?:0\d|1[0-3]):[0-5]\d|14:00))$/;

export function isDateTimeStamp(value: unknown): value is string {
  return timeOf(value) !== undefined;
}

/** The milliseconds of a dateTimeStamp; undefined for anything else, and for a year that no Date holds. */
export function timeOf(value: unknown): number | undefined {
  if (typeof value !== "string" || !hasForm(value)) return undefined;
  // Date.parse expects years below 0 and above 9999 with a sign and six digits.
  const time = Date.parse(
    value.replace(/^(-?)(\d{4,})-/, (year, sign: string, digits: string) =>
      sign === "" && digits.length === 4 ? year : `${sign || "+"}${digits.padStart(6, "0")}-`,
    ),
  );
  return Number.isNaN(time) ? undefined : time;
}

function hasForm(value: string): boolean {
  const parts = value.length < 60 ? stamp.exec(value) : null;
  if (!parts) return false;
  const [month, day, hour, minute, second] = parts.slice(1).map(Number) as [number, number, number, number, number];
  const year = Number.parseInt(value, 10);
  const lastDay = new Date(Date.UTC((year % 400) + 2000, month, 0)).getUTCDate();
  // 24:00:00 is the end of a day.
  const isTime = hour <= 23 ? minute <= 59 && second <= 59 : /T24:00:00(?:\.0+)?(?!\.)/.test(value);
  return month >= 1 && month <= 12 && day >= 1 && day <= lastDay && isTime;
}

/** Characters that no URL and no IRI contains (RDF 1.1 N-Quads, `IRIREF`), and spaces of any kind. */
const notInUrls = /[\s\p{Cc}\p{Cs}<>"{}|\\^`]/u;

/** An absolute URL, as VCDM means it: with a scheme, without spaces. */
export function isUrl(value: unknown): value is string {
  return (
    typeof value === "string" &&
    value.length <= 8_000 &&
    /^[a-z][a-z0-9+.-]*:./i.test(value) &&
    !notInUrls.test(value) &&
    URL.canParse(value)
  );
}

/**
 * Returns an http or https URL in a form that can be signed: each character that no URL contains is percent-encoded, as
 * browsers encode it when they open the URL. Undefined for a text that browsers cannot open.
 */
export function signableUrl(text: string): string | undefined {
  const given: unknown = text;
  if (isUrl(given)) return given;
  if (!/^https?:/i.test(text.trim()) || !URL.canParse(text)) return undefined;
  const encoded = new URL(text.toWellFormed()).href.replace(new RegExp(notInUrls, "gu"), encodeURIComponent);
  return isUrl(encoded) ? encoded : undefined;
}
