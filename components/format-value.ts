type Format = "text" | "uppercase" | "date" | "datetime" | "number";

const date = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
const datetime = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit", timeZone: "UTC", timeZoneName: "short" });
const number = new Intl.NumberFormat("en-GB");

/** A value of a credential as people read it. What does not fit its format is shown as it stands. */
export function formatValue(value: unknown, format: Format = "text"): string {
  if (value === null || value === undefined) return "";
  if (format === "date" || format === "datetime") return formatTime(value, format === "date" ? date : datetime);
  if (format === "number" && typeof value === "number") return number.format(value);
  const text = Array.isArray(value) ? value.map((each) => formatValue(each)).join(", ") : plain(value);
  return format === "uppercase" ? text.toUpperCase() : text;
}

function formatTime(value: unknown, formatter: Intl.DateTimeFormat): string {
  const time = new Date(value instanceof Date || typeof value === "number" ? value : String(value));
  return Number.isNaN(time.getTime()) ? plain(value) : formatter.format(time);
}

function plain(value: unknown): string {
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
