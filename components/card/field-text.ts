import type { ShownField } from "@/server/templates/fields";

const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });
const moment = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
const number = new Intl.NumberFormat("en");

/** A field's value as people read it; "" where there is none. What does not fit its format is shown as it is. */
export function fieldText({ value, format }: { value?: unknown; format: ShownField["format"] }): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map((each) => fieldText({ value: each, format })).filter(Boolean).join(", ");
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "object") return JSON.stringify(value);
  const text = String(value);
  if (format === "uppercase") return text.toLocaleUpperCase("en");
  if (format === "number" && Number.isFinite(Number(text))) return number.format(Number(text));
  if (format === "date" || format === "datetime") {
    const at = new Date(text);
    if (!Number.isNaN(at.getTime())) return (format === "date" ? day : moment).format(at);
  }
  return text;
}
