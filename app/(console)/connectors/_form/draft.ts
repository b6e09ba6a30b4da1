import type { DateFormat } from "@/server/connectors/cell-formats";
import type { MappingSource } from "@/server/connectors/mapping";

/** The field that a column is mapped to. */
export type Target =
  | "externalId"
  | "displayName"
  | "givenName"
  | "familyName"
  | "email"
  | "status"
  | "attribute"
  | "group"
  | "none";

/** The type of an attribute's column. */
export type Kind = "text" | "lower" | "number" | "date" | "boolean" | "values";

/** Marks a word of a status column whose meaning has not been chosen yet. */
export const unsaid = "unsaid";

/** The translation of a column's value; "" to reject its rows, `unsaid` while no choice was made. */
export interface Meaning {
  value: string;
  means: string;
}

/** A column of the file with its target and type. */
export interface ColumnChoice {
  column: string;
  target: Target;
  /** The name of the attribute. */
  attribute: string;
  kind: Kind;
  /** The decimal separator of a number column; "" until it is chosen. */
  decimal: "." | "," | "";
  /** The format of a date column; "" until it is chosen. */
  format: DateFormat | "";
  /** The separator of the names in a column of groups; "" if a cell names one group. */
  separator: string;
  /** The translations of a status, yes/no or other-words column. */
  values: Meaning[];
}

/** A mapping in the state of the form. */
export interface Draft {
  columns: ColumnChoice[];
  nameOrder: "givenFirst" | "familyFirst";
  /** Fields that only the API can describe, such as a constant. They stay as they are. */
  kept: [field: string, MappingSource][];
}

export const emptyDraft: Draft = { columns: [], nameOrder: "givenFirst", kept: [] };

/** Whether each value of a column needs a translation. */
export const hasValues = ({ target, kind }: ColumnChoice) =>
  target === "status" || (target === "attribute" && (kind === "boolean" || kind === "values"));

export const targetOptions = [
  { value: "none", label: "Nothing", description: "It is not read." },
  { value: "externalId", label: "Id", description: "What your system calls the person; it never changes." },
  { value: "displayName", label: "Full name" },
  { value: "givenName", label: "Given name" },
  { value: "familyName", label: "Family name" },
  { value: "email", label: "E-mail address" },
  { value: "status", label: "Status", description: "Who is active." },
  { value: "attribute", label: "Attribute", description: "For cards and rules." },
  { value: "group", label: "Group", description: "Such as a class: people become members." },
] as const satisfies { value: Target; label: string; description?: string }[];

export const separatorOptions = [
  { value: "", label: "Names one group" },
  { value: ";", label: "Several, separated by ;" },
  { value: ",", label: "Several, separated by ," },
  { value: "|", label: "Several, separated by |" },
  { value: "/", label: "Several, separated by /" },
] as const;

export const kindOptions = [
  { value: "text", label: "Text" },
  { value: "number", label: "Number" },
  { value: "date", label: "Date" },
  { value: "boolean", label: "Yes or no" },
  { value: "values", label: "Other words", description: "Each value of the column is replaced." },
  { value: "lower", label: "Lower case" },
] as const satisfies { value: Kind; label: string; description?: string }[];
