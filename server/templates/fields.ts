import { readBinding, type BindingSource } from "./binding";
import { fieldsOf, type Design, type DesignField } from "./design";

/** A field of a design with what it shows for one credential. `value` is as stored; `format` says how to write it. */
export interface ShownField {
  key: string;
  label: string;
  value: unknown;
  format: "text" | "uppercase" | "date" | "datetime" | "number";
}

/**
 * The fields of a design for one credential, in the design's order.
 * @param which "public" for what anyone may see, in the order of publicFields; "all" for the holder's and the organisation's eyes.
 */
export function shownFields(design: Design, source: BindingSource, which: "public" | "all", locale = "en"): ShownField[] {
  const all = fieldsOf(design);
  const chosen = which === "all" ? all : (design.publicFields ?? []).flatMap((key) => all.filter((field) => field.key === key));
  return chosen.map((field) => ({
    key: field.key,
    label: inLocale(field.label ?? field.key, locale),
    value: field.binding === undefined ? inLocale(field.text ?? "", locale) : shownValue(field, readBinding(source, field.binding)),
    format: field.format ?? "text",
  }));
}

/** An end told as a day is the last day on which it holds: what ends at midnight ends with the day before. */
function shownValue({ binding, format }: DesignField, value: unknown): unknown {
  if (binding !== "credential.expiresAt" || format !== "date" || typeof value !== "string") return value;
  return new Date(Date.parse(value) - 1).toISOString();
}

/** The text for a locale: the exact tag, then its language, then the first there is. */
export function inLocale(text: string | Record<string, string>, locale: string): string {
  if (typeof text === "string") return text;
  return text[locale] ?? text[locale.split("-")[0]!] ?? Object.values(text)[0] ?? "";
}
