import { dateFormats, type DateFormat } from "@/server/connectors/cell-formats";
import { isDateIn } from "@/server/connectors/map-row";
import type { ReadAttribute } from "@/server/connectors/read-attributes";
import { unsaid, type ColumnChoice, type Draft, type Kind, type Meaning, type Target } from "./draft";
import type { SampleColumn } from "./read-sample";

const usual: [Target, RegExp][] = [
  [
    "externalId",
    /^((student|staff|employee|person|external|member|user|matriculation|pupil|sourced)?[ _-]?(id|no|nr|number|key)|(matrikel|personal|mitglieds|schüler|studierenden)[ _-]?(nummer|nr\.?|id))$/i,
  ],
  ["givenName", /^((first|given|fore|middle)[ _-]?names?|vornamen?|prénoms?|nombres?)$/i],
  ["familyName", /^((last|family|sur)[ _-]?names?|nachname|familienname|nom|apellidos?)$/i],
  ["displayName", /^((full|display)?[ _-]?name)$/i],
  ["email", /^e?-?mail([ _-]?address)?$/i],
  ["status", /^(account[ _-]?status|status|state|active)$/i],
];
const several = new Set<Target>(["givenName", "familyName", "none", "attribute", "group"]);

/**
 * Suggests a target and a type for each column by its name and values. Each target except the parts of a name is given to
 * the first column that fits. A column with the name of an attribute that a card or rule reads becomes that attribute.
 */
export function suggestDraft(columns: SampleColumn[], read: ReadAttribute[]): Draft {
  const taken = new Set<Target>();
  // In OneRoster, `status` says whether a record was deleted. Our reader adds accountStatus, which is the person's status.
  const isRoster = columns.some(({ name }) => name === "accountStatus");
  return {
    nameOrder: "givenFirst",
    kept: [],
    columns: columns.map((column) => {
      const found = usual.find(
        ([each, pattern]) =>
          pattern.test(lastOf(column.name)) && !taken.has(each) && !(isRoster && column.name === "status"),
      )?.[0];
      const target = found ?? (readName(column.name, read) === null ? "none" : "attribute");
      if (!several.has(target)) taken.add(target);
      return chooseTarget(unchosen(column, read), column, target);
    }),
  };
}

/** The last part of a JSON path: mail of contact.mail. */
const lastOf = (name: string) => name.split(".").at(-1)!;

/** A column that is not mapped yet. */
export const unchosen = ({ name }: Pick<SampleColumn, "name">, read: ReadAttribute[]): ColumnChoice => ({
  column: name,
  target: "none",
  attribute: attributeName(name, read),
  kind: "text",
  decimal: "",
  format: "",
  separator: "",
  values: [],
});

/** Sets the target of a column, with the type and translations that its values suggest. */
export function chooseTarget(choice: ColumnChoice, column: SampleColumn, target: Target): ColumnChoice {
  const next = { ...choice, target };
  if (target === "status") return { ...next, kind: "text", values: statusMeanings(column.values) };
  if (target === "email") return { ...next, kind: "lower" };
  if (target === "group") return { ...next, kind: "text", separator: separatorOf(column.values) };
  return chooseKind(next, column, target === "attribute" ? kindOf(column.values) : "text");
}

/** Sets the type of an attribute's column, with the format that its values suggest. */
export function chooseKind(choice: ColumnChoice, { values }: SampleColumn, kind: Kind): ColumnChoice {
  return {
    ...choice,
    kind,
    decimal: kind === "number" ? decimalOf(values) : "",
    format: kind === "date" ? only(formatsOf(values)) : "",
    values:
      kind === "boolean"
        ? values.slice(0, shownAtMost).map(asBoolean)
        : kind === "values"
          ? values.slice(0, shownAtMost).map((value) => ({ value, means: "" }))
          : [],
  };
}

/** Attribute names that cards and rules can refer to. */
const readable = /^[\p{L}\p{N}_-]{1,64}$/u;
export const isReadable = (name: string) => readable.test(name);

const bare = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
const readName = (column: string, read: ReadAttribute[]) =>
  read.find(({ name }) => bare(name) === bare(column))?.name ?? null;

/** The attribute name that a card or rule uses for the column; else the column's name without unsupported characters. */
function attributeName(column: string, read: ReadAttribute[]): string {
  const known = readName(column, read);
  if (known !== null) return known;
  if (readable.test(column)) return column;
  const [first = "", ...rest] = column.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== "");
  return (first.toLowerCase() + rest.map((part) => part[0]!.toUpperCase() + part.slice(1)).join("")).slice(0, 64);
}

/** Words of a status column that certainly mean active or inactive. The form asks for the meaning of other words. */
const present =
  /^(active|aktiv|yes|y|ja|j|oui|true|1|current|enrolled|registered|eingeschrieben|immatrikuliert|employed|paid)$/i;
const ended =
  /^(inactive|inaktiv|no|n|nein|non|false|0|left|ended|expired|former|withdrawn|graduated|alumn\w*|ex-?matriculated|exmatrikuliert|terminated|closed|deceased|dismissed|resigned|cancelled|canceled)$/i;
export const statusMeanings = (values: string[]): Meaning[] =>
  values.slice(0, shownAtMost).map((value) => ({
    value,
    means: ended.test(value) ? "inactive" : present.test(value) ? "active" : unsaid,
  }));

/** The most words of a column whose meaning the form asks for. Rows with further words are rejected. */
const shownAtMost = 50;

const yes = /^(yes|y|true|ja|j|oui|sí|si|wahr|vrai)$/i;
const no = /^(no|n|false|nein|non|falsch|faux)$/i;
const asBoolean = (value: string): Meaning => ({
  value,
  means: yes.test(value) || value === "1" ? "true" : no.test(value) || value === "0" ? "false" : "",
});

const number = /^[+-]?\d+([.,]\d+)?$/;

/**
 * Suggests the type of a column. Values of only digits may be ids, so they are never suggested as dates, and as numbers
 * only if they are short or have decimals and none begins with a zero.
 */
export function kindOf(values: string[]): Kind {
  if (values.length === 0) return "text";
  if (values.every((value) => yes.test(value) || no.test(value))) return "boolean";
  if (values.some((value) => /\D/.test(value)) && formatsOf(values).length > 0) return "date";
  const isNumber = values.every((value) => number.test(value) && !/^[+-]?0\d/.test(value));
  const few = values.every((value) => value.length <= 4) || values.some((value) => /[.,]/.test(value));
  return isNumber && few ? "number" : "text";
}

/** The separator of group names, if the values contain a separator that group names rarely contain. */
const separatorOf = (values: string[]): string =>
  [";", "|"].find((each) => values.some((value) => value.includes(each))) ?? "";

/** The date formats that fit all values. */
const formatsOf = (values: string[]): DateFormat[] =>
  values.length === 0 ? [] : dateFormats.filter((format) => values.every((value) => isDateIn(value, format)));

const only = <T>(found: T[]): T | "" => (found.length === 1 ? found[0]! : "");

/** The decimal separator; "" if it is ambiguous, as in 1,234, so that the form asks for it. */
function decimalOf(values: string[]): "." | "," | "" {
  const marks = new Set<"." | ",">();
  let unsure = false;
  for (const value of values) {
    const found = /([.,])(\d+)$/.exec(value);
    if (!found) continue;
    const mark = found[1] as "." | ",";
    if (value.indexOf(mark === "." ? "," : ".") >= 0 || found[2]!.length !== 3) marks.add(mark);
    else unsure = true;
  }
  if (marks.size === 1) return [...marks][0]!;
  return marks.size === 0 && !unsure ? "." : "";
}
