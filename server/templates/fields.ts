import { evidenceBinding, photoBinding, readBinding, type BindingSource } from "./binding";
import { dayOf, defaultRegion, endsWithDay, isInstant, lastDayOf, type Region } from "@/server/core/dates";
import { withoutOverrides } from "@/server/core/deceptive-text";
import { isDayFormat } from "./field-text";
import { evidenceIn, evidenceTitle } from "./evidence-text";
import { fieldsOf, type Design, type DesignField, type FieldFormat } from "./design";

/**
 * A field of a design with its value for one credential. `value` is as stored, without characters that override the
 * direction of the text (docs/decisions/173); `format` says how to display it.
 */
export interface ShownField {
  key: string;
  label: string;
  value: unknown;
  format: FieldFormat;
}

/**
 * Returns the fields of a design for one credential, in the design's order. The photo is not included, because it has
 * no value.
 * @param which "public" for the public fields, in the order of publicFields; "all" for the holder and the organisation.
 * @param region the organisation's. An instant that a field shows as a date becomes its day there, such as 2029-01-19.
 */
export function shownFields(
  design: Design,
  source: BindingSource,
  which: "public" | "all",
  { timeZone, locale }: Region = defaultRegion,
): ShownField[] {
  const all = fieldsOf(design).filter(({ binding }) => binding !== photoBinding);
  const chosen =
    which === "all" ? all : (design.publicFields ?? []).flatMap((key) => all.filter((field) => field.key === key));
  return chosen.map((field) => ({
    key: field.key,
    label: inLocale(field.label ?? field.key, locale),
    ...(field.binding === undefined
      ? { value: inLocale(field.text ?? "", locale), format: formatOf(field) }
      : written(field, withoutOverrides(readBinding(source, field.binding)), timeZone)),
  }));
}

/** The start and the end of a credential are shown as dates, unless the field asks for the time too. */
function formatOf({ binding, format = "text" }: DesignField): ShownField["format"] {
  return binding !== undefined && instants.has(binding) && format !== "datetime" && !isDayFormat(format)
    ? "date"
    : format;
}

const instants = new Set(["credential.validFrom", "credential.issuedAt", "credential.expiresAt"]);

/**
 * Converts an instant for display. A date is a day in the organisation's time zone. `expiresAt` is exclusive: it
 * becomes the last day before it. Only a field that asks for the time keeps the instant of a credential that ends within
 * a day.
 */
function written(field: DesignField, value: unknown, timeZone: string): Pick<ShownField, "value" | "format"> {
  const format = formatOf(field);
  if (field.binding === evidenceBinding && Array.isArray(value))
    return { value: evidenceIn(value).map(evidenceTitle), format: "text" };
  if ((!isDayFormat(format) && format !== "datetime") || typeof value !== "string" || !isInstant(value))
    return { value, format };
  if (field.binding === "credential.expiresAt")
    return format === "datetime" && !endsWithDay(value, timeZone)
      ? { value, format }
      : { value: lastDayOf(value, timeZone), format };
  return { value: format === "datetime" ? value : dayOf(value, timeZone), format };
}

/**
 * Returns the text for a locale: by its exact tag, else by its language, else in English, else the first by its tag. An
 * empty text counts as missing. The order in which texts were entered is unknown, because JSON in the database has none.
 */
export function inLocale(text: string | Record<string, string>, locale: string): string {
  if (typeof text === "string") return text;
  const language = languageOfTag(locale);
  const exact = text[locale] || text[language];
  if (exact) return exact;
  const tags = Object.keys(text)
    .filter((tag) => text[tag])
    .toSorted();
  const of = (wanted: string) => tags.find((tag) => languageOfTag(tag) === wanted);
  const tag = of(language) ?? of("en") ?? tags[0];
  return tag === undefined ? "" : text[tag]!;
}

const languageOfTag = (tag: string): string => tag.split("-")[0]!;
