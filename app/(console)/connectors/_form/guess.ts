import { dateFormats, type DateFormat } from "@/server/connectors/cell-formats";
import { isDateIn } from "@/server/connectors/map-row";
import type { ReadAttribute } from "@/server/connectors/read-attributes";
import { unsaid, type ColumnChoice, type Draft, type Kind, type Meaning, type Target } from "./draft";
import type { SampleColumn } from "./read-sample";

const usual: [Target, RegExp][] = [
  [
    "externalId",
    /^((student|staff|employee|person|external|member|user|matriculation|pupil|sourced)?[ _-]?(id|no|nr|number|key))$/i,
  ],
  ["givenName", /^((first|given|fore|middle)[ _-]?names?|vornamen?|prénoms?|nombres?)$/i],
  ["familyName", /^((last|family|sur)[ _-]?names?|nachname|familienname|nom|apellidos?)$/i],
  ["displayName", /^((full|display)?[ _-]?name)$/i],
  ["email", /^e?-?mail([ _-]?address)?$/i],
  ["status", /^(account[ _-]?status|status|state|active)$/i],
];
const several = new Set<Target>(["givenName", "familyName", "none", "attribute"]);

/**
 * What each column probably is, by its name and its values. The first that looks like an id is one; so for each but the
 * parts of a name. A column that is called like an attribute that a card or a rule reads is that attribute.
 */
export function suggestDraft(columns: SampleColumn[], read: ReadAttribute[]): Draft {
  const taken = new Set<Target>();
  // Of OneRoster, status says whether a record was deleted; accountStatus is what we make of it.
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

/** The name without the objects around it, as the fields of JSON have it: contact.mail is mail. */
const lastOf = (name: string) => name.split(".").at(-1)!;

/** A column of which nothing has been said. */
export const unchosen = ({ name }: Pick<SampleColumn, "name">, read: ReadAttribute[]): ColumnChoice => ({
  column: name,
  target: "none",
  attribute: attributeName(name, read),
  kind: "text",
  decimal: "",
  format: "",
  values: [],
});

/** Points a column at a target, with what its values suggest. */
export function chooseTarget(choice: ColumnChoice, column: SampleColumn, target: Target): ColumnChoice {
  const next = { ...choice, target };
  if (target === "status") return { ...next, kind: "text", values: statusMeanings(column.values) };
  if (target === "email") return { ...next, kind: "lower" };
  return chooseKind(next, column, target === "attribute" ? kindOf(column.values) : "text");
}

/** Says what the cells of an attribute are, with what the values suggest. */
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

/** Cards and rules name attributes by letters, digits, _ and -. */
const readable = /^[\p{L}\p{N}_-]{1,64}$/u;
export const isReadable = (name: string) => readable.test(name);

const bare = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
const readName = (column: string, read: ReadAttribute[]) =>
  read.find(({ name }) => bare(name) === bare(column))?.name ?? null;

/** The name that a card or a rule uses for it; else the column's, without what they could not read. */
function attributeName(column: string, read: ReadAttribute[]): string {
  const known = readName(column, read);
  if (known !== null) return known;
  if (readable.test(column)) return column;
  const [first = "", ...rest] = column.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== "");
  return (first.toLowerCase() + rest.map((part) => part[0]!.toUpperCase() + part.slice(1)).join("")).slice(0, 64);
}

/** Words of a status column that mean that somebody is there, or left. Every other word is asked. */
const present =
  /^(active|aktiv|yes|y|ja|j|oui|true|1|current|enrolled|registered|eingeschrieben|immatrikuliert|employed|paid)$/i;
const ended =
  /^(inactive|inaktiv|no|n|nein|non|false|0|left|ended|expired|former|withdrawn|graduated|alumn\w*|ex-?matriculated|exmatrikuliert|terminated|closed|deceased|dismissed|resigned|cancelled|canceled)$/i;
export const statusMeanings = (values: string[]): Meaning[] =>
  values.slice(0, shownAtMost).map((value) => ({
    value,
    means: ended.test(value) ? "inactive" : present.test(value) ? "active" : unsaid,
  }));

/** Words of a column whose meaning is asked one by one. A row with another word is rejected. */
const shownAtMost = 50;

const yes = /^(yes|y|true|ja|j|oui|sí|si|wahr|vrai)$/i;
const no = /^(no|n|false|nein|non|falsch|faux)$/i;
const asBoolean = (value: string): Meaning => ({
  value,
  means: yes.test(value) || value === "1" ? "true" : no.test(value) || value === "0" ? "false" : "",
});

const number = /^[+-]?\d+([.,]\d+)?$/;

/**
 * What the cells probably are. Digits alone may be a key: a date is not suggested, and a number only where there are few
 * of them, or decimals, and none begins with a zero.
 */
export function kindOf(values: string[]): Kind {
  if (values.length === 0) return "text";
  if (values.every((value) => yes.test(value) || no.test(value))) return "boolean";
  if (values.some((value) => /\D/.test(value)) && formatsOf(values).length > 0) return "date";
  const isNumber = values.every((value) => number.test(value) && !/^[+-]?0\d/.test(value));
  const few = values.every((value) => value.length <= 4) || values.some((value) => /[.,]/.test(value));
  return isNumber && few ? "number" : "text";
}

/** The formats in which each value is a date. */
const formatsOf = (values: string[]): DateFormat[] =>
  values.length === 0 ? [] : dateFormats.filter((format) => values.every((value) => isDateIn(value, format)));

const only = <T>(found: T[]): T | "" => (found.length === 1 ? found[0]! : "");

/** The mark before decimals; "" where 1,234 may be either number, so that it is asked. */
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
