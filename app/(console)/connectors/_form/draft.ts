import type { DateFormat } from "@/server/connectors/cell-formats";
import type { MappingSource } from "@/server/connectors/mapping";

/** Where a column goes. */
export type Target =
  | "externalId"
  | "displayName"
  | "givenName"
  | "familyName"
  | "email"
  | "status"
  | "attribute"
  | "none";

/** What the cells of an attribute's column are. */
export type Kind = "text" | "lower" | "number" | "date" | "boolean" | "values";

/** What a word of a status column means while nobody has said it. */
export const unsaid = "unsaid";

/** What a column's value stands for; "" where its row is to be rejected, `unsaid` where a person has to say it. */
export interface Meaning {
  value: string;
  means: string;
}

/** A column of the file, and what becomes of its cells. */
export interface ColumnChoice {
  column: string;
  target: Target;
  /** The name of the attribute. */
  attribute: string;
  kind: Kind;
  /** Of numbers; "" until the person has said it. */
  decimal: "." | "," | "";
  /** Of dates; "" until the person has said it. */
  format: DateFormat | "";
  /** Of a status, a boolean and of values. */
  values: Meaning[];
}

/** A mapping as the form holds it. */
export interface Draft {
  columns: ColumnChoice[];
  nameOrder: "givenFirst" | "familyFirst";
  /** Fields that only the API can describe, such as a constant. They stay as they are. */
  kept: [field: string, MappingSource][];
}

export const emptyDraft: Draft = { columns: [], nameOrder: "givenFirst", kept: [] };

/** Whether the values of a column have to be told apart. */
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
] as const satisfies { value: Target; label: string; description?: string }[];

export const kindOptions = [
  { value: "text", label: "Text" },
  { value: "number", label: "Number" },
  { value: "date", label: "Date" },
  { value: "boolean", label: "Yes or no" },
  { value: "values", label: "Other words", description: "Each value of the column is replaced." },
  { value: "lower", label: "Lower case" },
] as const satisfies { value: Kind; label: string; description?: string }[];
