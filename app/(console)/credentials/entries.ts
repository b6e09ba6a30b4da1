import type { Problem } from "@/components/problem";
import { resultWords } from "@/server/achievements/result-of";
import { resultStatuses } from "@/server/achievements/vocabulary";
import { isDecimal } from "@/server/core/decimal";
import { enteredPath, evidenceBinding, readPath } from "@/server/templates/binding";
import { fieldsOf, type Design, type DesignField } from "@/server/templates/design";
import { inLocale } from "@/server/templates/fields";

type FieldProblem = NonNullable<Problem["errors"]>[number];

/** A value that can be entered when a credential is issued: one that its design reads. */
export interface Entry {
  /** Its path in the credential's data. */
  path: string[];
  /** The name of its form field: its place in the input of the issue. */
  name: string;
  label: string;
  format: NonNullable<DesignField["format"]>;
  /** Whether the subject's record is read where nothing is entered. */
  hasRecord: boolean;
  /** The options of its menu; undefined if any text can be typed. */
  choices?: { value: string; label: string }[];
  /** A hint for the person who enters the value. */
  hint?: string;
}

/** The part of an achievement's result descriptions that the form needs. */
export type ResultChoices = readonly {
  key: string;
  name?: string;
  resultType?: string;
  allowedValues?: readonly string[] | undefined;
  rubricLevels?: readonly { key: string; name: string }[] | undefined;
}[];

/**
 * Returns the form fields for issuing: first what the design reads, in the order of the card, then the remaining results
 * and the credits of the achievement. Each place in the data has one field. A result with allowed values becomes a menu.
 * The last day that a validity reads is not among them, because the form has its own field for it.
 * @param credits the most credits that the achievement gives; null if it gives none
 */
export function entriesOf(design: Design, results: ResultChoices = [], credits: number | null = null): Entry[] {
  const entries = new Map<string, Entry>();
  const add = (binding: string, label: string, format: Entry["format"]) => {
    const path = enteredPath(binding);
    // Evidence is a list of objects, which has rows of its own.
    if (!path || binding === evidenceBinding) return;
    const name = ["data", ...path].join("/");
    const known = entries.get(name);
    const hasRecord = binding.startsWith("attributes.") || known?.hasRecord === true;
    const choices = choicesOf(path, results);
    entries.set(name, {
      path,
      name,
      label: known?.label ?? label,
      format: known?.format ?? format,
      hasRecord,
      ...(choices.length > 0 && { choices }),
    });
  };
  for (const field of fieldsOf(design))
    if (field.binding) add(field.binding, inLocale(field.label ?? field.key, "en"), field.format ?? "text");
  for (const { key, name = key } of results) add(`credential.data.results.${key}`, name, "text");
  if (credits !== null) {
    add("credential.data.creditsEarned", "Credits earned", "number");
    const entry = entries.get("data/creditsEarned");
    // Verifiers read a number, however the card shows it.
    if (entry)
      Object.assign(entry, { format: "number", hint: `At most ${new Intl.NumberFormat("en").format(credits)}.` });
  }
  return [...entries.values()];
}

function choicesOf([first, key, ...rest]: string[], results: ResultChoices): NonNullable<Entry["choices"]> {
  if (first !== "results" || rest.length > 0) return [];
  const { resultType = "", allowedValues, rubricLevels = [] } = results.find((each) => each.key === key) ?? {};
  const values = allowedValues ?? (resultType === "Status" ? Object.keys(resultStatuses) : []);
  return [
    ...values.map((value) => ({ value, label: resultWords({ resultType }, value) })),
    ...rubricLevels.map(({ key: value, name: label }) => ({ value, label })),
  ];
}

/**
 * Builds the credential's data from the typed texts, which have the names of their entries as keys. Empty texts and
 * numbers that cannot be read (see wrongNumbers) are left out.
 */
export function dataOf(
  entries: readonly Entry[],
  typed: Readonly<Record<string, string>>,
  locale: string,
): Record<string, unknown> {
  const data: Record<string, unknown> = {};
  // Outer places first: a value within another takes its place.
  for (const entry of entries.toSorted((a, b) => a.path.length - b.path.length)) {
    const text = typed[entry.name]?.trim();
    const value = text && (entry.format === "number" && !entry.choices ? readNumber(text, locale) : text);
    if (value || value === 0) put(data, entry.path, value);
  }
  return data;
}

/** Returns the value that the subject's record has for an entry; null if it has none. */
export function recordOf({ hasRecord, path }: Entry, attributes: Record<string, unknown>): unknown {
  return hasRecord ? readPath(attributes, path) : null;
}

/** Returns an error for each number field whose text is not a number. */
export function wrongNumbers(
  entries: readonly Entry[],
  typed: Readonly<Record<string, string>>,
  locale: string,
): FieldProblem[] {
  return entries
    .filter(
      ({ name, format, choices }) =>
        format === "number" && !choices && typed[name]?.trim() && readNumber(typed[name].trim(), locale) === null,
    )
    .map(({ name }) => ({
      pointer: `/${name}`,
      code: "invalid_number",
      message: `must be a number, such as ${new Intl.NumberFormat(locale, { numberingSystem: "latn" }).format(1234.5)}`,
    }));
}

/**
 * Reads a number as people write it in a locale, with its decimal sign and with digit groups in the right places. A number
 * with more digits than a double holds is returned as a text in decimal notation, so that no digit changes.
 * @returns null for anything else
 */
export function readNumber(text: string, locale: string): number | string | null {
  const parts = new Intl.NumberFormat(locale, { numberingSystem: "latn" }).formatToParts(1_234_567.5);
  const sign = (type: "group" | "decimal") => parts.find((part) => part.type === type)?.value ?? "";
  // Some locales group digits with one of several spaces or apostrophes, but a keyboard has one of each.
  const plain = (written: string) => written.replaceAll(/\s/g, " ").replaceAll("’", "'").replace("−", "-");
  const [group, decimal] = [plain(sign("group")), plain(sign("decimal"))].map((each) =>
    each.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`),
  );
  const pattern = new RegExp(`^([+-]?)(\\d+|\\d{1,3}(?:${group}\\d{2,3})*${group}\\d{3})(?:${decimal}(\\d+))?$`);
  const [, minus, whole, fraction = "0"] = pattern.exec(plain(text)) ?? [];
  if (whole === undefined) return null;
  const digits = whole.replaceAll(/\D/g, "").replace(/^0+(?=\d)/, "");
  const places = fraction.replace(/0+$/, "");
  const exact = `${minus === "-" ? "-" : ""}${digits}${places && `.${places}`}`;
  if (!isDecimal(exact)) return null;
  const number = Number(exact);
  if (number === 0) return 0;
  return String(number) === exact ? number : exact;
}

function put(into: Record<string, unknown>, [key, ...rest]: string[], value: unknown): void {
  if (rest.length === 0) return define(into, key!, value);
  const inner = Object.hasOwn(into, key!) ? into[key!] : undefined;
  const next = typeof inner === "object" && inner !== null ? (inner as Record<string, unknown>) : {};
  define(into, key!, next);
  put(next, rest, value);
}

/** Not an assignment, since a key may be `__proto__`. */
function define(on: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(on, key, { value, enumerable: true, configurable: true, writable: true });
}
