import type { FieldKind, Op } from "@/server/rules/rule";

/** The fields that a person can choose to compare. Attributes also need a path. */
export const fieldOptions = [
  { value: "attribute", label: "Attribute" },
  { value: "status", label: "Status" },
  { value: "groups", label: "Group" },
  { value: "displayName", label: "Name" },
  { value: "email", label: "E-mail" },
  { value: "externalId", label: "Your id" },
] as const;
export type FieldChoice = (typeof fieldOptions)[number]["value"];

/** How the parts of a rule are joined. */
export const joinOptions = [
  { value: "all", label: "All of these" },
  { value: "any", label: "At least one of these" },
  { value: "not", label: "Not this" },
] as const;
export type Join = (typeof joinOptions)[number]["value"];

const opWords: Record<Op, string> = {
  eq: "is",
  ne: "is not",
  in: "is one of",
  notIn: "is none of",
  startsWith: "begins with",
  endsWith: "ends with",
  contains: "contains",
  exists: "is known",
  gt: "is more than",
  gte: "is at least",
  lt: "is less than",
  lte: "is at most",
  before: "is before",
  after: "is after",
};
const groupWords: Partial<Record<Op, string>> = {
  contains: "is in",
  in: "is in one of",
  notIn: "is in none of",
  exists: "is in any",
};

/** Returns the operator as it reads between a field and a value. */
export const wordsOfOp = (op: Op, kind: FieldKind): string =>
  (kind === "groups" ? groupWords[op] : undefined) ?? opWords[op];

/** Returns the field as it reads at the beginning of a condition. */
export const wordsOfField = (field: string): string =>
  fieldOptions.find(({ value }) => value === field)?.label ?? field.replace(/^attributes\./, "");

/** Returns the name of a group; null stands for a deleted group. */
export const wordsOfGroup = (id: string, name: string | null | undefined): string =>
  name === null ? "a group that was deleted" : (name ?? id);

const unitWords = { h: "hour", d: "day", w: "week", mo: "month", y: "year" };
export type Unit = keyof typeof unitWords;

export const unitOptions = Object.entries(unitWords).map(([value, word]) => ({
  value: value as Unit,
  label: `${word}s`,
}));

/** A time of a rule: a distance from now, or a day or instant as it is written. */
export type RuleTime = { from: "now"; amount: number; unit: Unit } | { from: "text"; text: string };

/** Reads the value of the operators before and after. */
export function readTime(value: unknown): RuleTime {
  const text = typeof value === "string" ? value : "";
  const relative = /^now(?:([+-])([0-9]{1,6})(h|d|w|mo|y))?$/.exec(text);
  if (!relative) return { from: "text", text };
  const [, sign, amount = "0", unit = "d"] = relative;
  return { from: "now", amount: sign === "-" ? -Number(amount) : Number(amount), unit: unit as Unit };
}

/** Writes a distance from now, such as now-30d. */
export const writeDistance = (amount: number, unit: Unit): string =>
  amount === 0 ? "now" : `now${amount < 0 ? "-" : "+"}${Math.abs(amount)}${unit}`;

/** Returns a time of a rule in words: "now", "30 days ago", "in 2 weeks", or the day. */
export function wordsOfTime(value: unknown): string {
  const time = readTime(value);
  if (time.from === "text") return time.text;
  if (time.amount === 0) return "now";
  const amount = Math.abs(time.amount);
  const distance = `${amount} ${unitWords[time.unit]}${amount === 1 ? "" : "s"}`;
  return time.amount < 0 ? `${distance} ago` : `in ${distance}`;
}
