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

/** An absolute URL, as VCDM means it: with a scheme, without spaces. */
export function isUrl(value: unknown): value is string {
  return (
    typeof value === "string" &&
    value.length <= 8_000 &&
    /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]+$/i.test(value) &&
    URL.canParse(value)
  );
}
