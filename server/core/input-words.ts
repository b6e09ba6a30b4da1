import type { z } from "zod";

type Issue = z.core.$ZodRawIssue;

/**
 * Says what is wrong with a value, in words that follow its name: "must be a whole number from 1 to 100". zod calls it
 * for each issue whose schema has no message, so zod's default messages never reach a caller.
 */
export function wordsFor(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is required" : `must be ${typeWords(issue)}`;
    case "invalid_value":
      return issue.input === undefined ? `is required: ${oneOf(issue.values)}` : `must be ${oneOf(issue.values)}`;
    case "too_small":
      return tooSmall(issue.origin, issue.minimum);
    case "too_big":
      return tooBig(issue.origin, issue.maximum);
    case "invalid_format":
      return (
        (formats[issue.format] ?? "does not have the form that is needed") +
        (issue.format === "datetime" && lostItsPlus(issue.input)
          ? "; in an address, write the + of its zone as %2B"
          : "")
      );
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "unrecognized_keys":
      return "is not a known field";
    case "invalid_union":
      return unionWords(issue);
    case "invalid_key":
      return "has a name that is not allowed";
    case "invalid_element":
      return "holds an item that is not allowed";
    case "custom":
      return "is not allowed here";
  }
}

/** Whether a + was lost: in a query it means a space, so 2026-11-21T09:30:00+02:00 arrives as "…T09:30:00 02:00". */
const lostItsPlus = (value: unknown) => typeof value === "string" && /T[\d:.]+ \d\d:?\d\d$/.test(value);

const types: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  bigint: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  null: "null",
};

/** The expected type in words. A number includes its bounds, so that a caller need not find them by trying. */
function typeWords({ expected, inst }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidType>): string {
  const { minimum, maximum, format } = ((inst as z.core.$ZodType | undefined)?._zod.bag ?? {}) as {
    minimum?: number;
    maximum?: number;
    format?: string;
  };
  const type =
    expected === "number" && format?.includes("int") ? types["int"]! : (types[expected] ?? "another kind of value");
  if (!type.endsWith("number") || minimum === undefined || maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER)
    return type;
  return `${type} from ${minimum} to ${maximum}`;
}

const oneOf = (values: readonly unknown[]) => (values.length === 1 ? String(values[0]) : `one of ${values.join(", ")}`);

const count = (n: number | bigint, what: string) => `${n} ${what}${Number(n) === 1 ? "" : "s"}`;

function tooSmall(origin: string, minimum: number | bigint): string {
  if (origin === "string")
    return Number(minimum) === 1 ? "must not be empty" : `must have at least ${count(minimum, "character")}`;
  if (origin === "array" || origin === "set") return `must have at least ${count(minimum, "item")}`;
  return `must be ${minimum} or more`;
}

function tooBig(origin: string, maximum: number | bigint): string {
  if (origin === "string") return `must have at most ${count(maximum, "character")}`;
  if (origin === "array" || origin === "set") return `must have at most ${count(maximum, "item")}`;
  return `must be ${maximum} or less`;
}

const formats: Record<string, string> = {
  datetime: "must be a time with its zone, such as 2026-11-21T09:30:00Z",
  date: "must be a date such as 2026-11-21",
  email: "must be an e-mail address such as ada@example.edu",
  url: "must be a URL such as https://example.edu/",
};

function unionWords(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string {
  if (issue.input === undefined) return "is required";
  const discriminator =
    "discriminator" in issue && typeof issue.discriminator === "string" ? issue.discriminator : undefined;
  const chosen = discriminator && discriminatorValues(issue, discriminator);
  if (chosen) {
    const isMissing = (issue.input as Record<string, unknown> | null)?.[discriminator] === undefined;
    return `${isMissing ? "is required:" : "must be"} ${oneOf(chosen)}`;
  }
  const messages = issue.errors.map((branch) => branch[0]?.message ?? "");
  const musts = messages
    .filter((message) => message.startsWith("must be "))
    .map((message) => message.slice("must be ".length));
  if (musts.length === messages.length) return `must be ${[...new Set(musts)].join(", or ")}`;
  return messages.find((message) => message !== "") ?? "is not allowed here";
}

function discriminatorValues({ inst }: Issue, discriminator: string): unknown[] | undefined {
  const values = (inst as z.core.$ZodType | undefined)?._zod.propValues?.[discriminator];
  return values && [...values];
}

/** The names of the fields that a strict object accepts. */
export function knownFields(issue: Issue): string[] {
  const def = (issue.inst as z.core.$ZodType | undefined)?._zod.def as { shape?: Record<string, unknown> } | undefined;
  return Object.keys(def?.shape ?? {});
}
