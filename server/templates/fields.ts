import { photoBinding, readBinding, type BindingSource } from "./binding";
import { dayOf, defaultRegion, endsWithDay, isInstant, lastDayOf, type Region } from "@/server/core/dates";
import { withoutOverrides } from "@/server/core/deceptive-text";
import { fieldsOf, type Design, type DesignField } from "./design";

/**
 * A field of a design with what it shows for one credential. `value` is as stored, without characters that override the
 * direction of the text (docs/decisions/173); `format` says how to write it.
 */
export interface ShownField {
  key: string;
  label: string;
  value: unknown;
  format: "text" | "uppercase" | "date" | "datetime" | "number";
}

/**
 * The fields of a design for one credential, in the design's order. The photo is not among them: it has no value.
 * @param which "public" for what anyone may see, in the order of publicFields; "all" for the holder's and the
 *   organisation's eyes.
 * @param region of the organisation. An instant that a field shows as a date becomes its day there, such as 2029-01-19.
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

/** When a credential begins and ends is a date, unless its field asks for the time too. */
function formatOf({ binding, format = "text" }: DesignField): ShownField["format"] {
  return binding !== undefined && instants.has(binding) && format !== "datetime" ? "date" : format;
}

const instants = new Set(["credential.validFrom", "credential.issuedAt", "credential.expiresAt"]);

/**
 * A date is a day in the organisation's time zone. `expiresAt`, which is exclusive, is the last day before it, or the
 * instant where it ends within that day: the card tells the same end as everything else (formatUntil).
 */
function written(field: DesignField, value: unknown, timeZone: string): Pick<ShownField, "value" | "format"> {
  const format = formatOf(field);
  if ((format !== "date" && format !== "datetime") || typeof value !== "string" || !isInstant(value))
    return { value, format };
  if (field.binding === "credential.expiresAt")
    return endsWithDay(value, timeZone) ? { value: lastDayOf(value, timeZone), format } : { value, format: "datetime" };
  return { value: format === "date" ? dayOf(value, timeZone) : value, format };
}

/** The text for a locale: the exact tag, then its language, then the first there is. */
export function inLocale(text: string | Record<string, string>, locale: string): string {
  if (typeof text === "string") return text;
  return text[locale] ?? text[locale.split("-")[0]!] ?? Object.values(text)[0] ?? "";
}
