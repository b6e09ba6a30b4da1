import { z } from "zod";
import { changesDirection, holdsInvisible, looksEmpty } from "./deceptive-text";
import { DomainError, type InputIssue } from "./errors";
import { readId, type Id, type IdPrefix } from "./ids";
import { headerFields } from "./header-fields";
import { isIssueCode, type IssueCode } from "./issue-codes";
import { knownFields, wordsFor } from "./input-words";
import { RefusedRow } from "./refused-row";
import { jsonPointer } from "./json-pointer";

/**
 * Parses an input, or throws invalid_request with a JSON pointer to each thing that is wrong and what to send instead.
 */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  if (input instanceof RefusedRow) throw input.error;
  const context: z.core.ParseContextInternal<z.core.$ZodIssue> = {
    async: false,
    error: (issue) => (issue.code === "unrecognized_keys" ? known(issue, input) : wordsFor(issue)),
  };
  // Not safeParse(): it words each of the issues, and a body of 10 MB can have a million.
  const result = schema._zod.run({ value: input, issues: [] }, context);
  if (result instanceof Promise) throw new z.core.$ZodAsyncError();
  if (result.issues.length === 0) return result.value as z.output<S>;
  const told = result.issues
    .slice(0, maxTold)
    .flatMap((issue) => toIssues(z.core.util.finalizeIssue(issue, context, z.core.config())));
  throw invalidInput(
    told,
    result.issues.reduce((total, issue) => total + (issue.code === "unrecognized_keys" ? issue.keys.length : 1), 0),
  );
}

/** Where REST found an input, for the words of its refusals. A symbol, so that no schema takes it for a field. */
export const inputOrigin = Symbol("origin of an input");

export interface InputOrigin {
  /** The fields that stand in the path, which nobody can send elsewhere. */
  inPath: readonly string[];
  /** Where the other fields are sent. */
  rest: "body" | "query";
}

/** How many issues a refusal lists, and of unknown fields of one object. */
const maxTold = 50;
const maxUnknownTold = 5;

/**
 * A message that begins with a verb, "must not be empty", is told with the name of what it is about.
 * @param found how many there are, where `errors` does not hold all
 */
export function invalidInput(errors: InputIssue[], found = 0): DomainError {
  const told = errors.slice(0, maxTold).map((each) => ({
    ...each,
    message: /^[a-z]/.test(each.message) ? `${nameOf(each.pointer)} ${each.message}` : each.message,
  }));
  const total = Math.max(errors.length, found);
  const more =
    total > 2
      ? ` There are ${total - 1} more errors; see errors.`
      : total === 2
        ? " There is one more error; see errors."
        : "";
  return new DomainError(
    "invalid_request",
    told[0] ? `${told[0].message.replace(/[.!]$/, "")}.${more}` : "The input is not valid.",
    { errors: told },
  );
}

function toIssues(issue: z.core.$ZodIssue, above: PropertyKey[] = []): InputIssue[] {
  const path = [...above, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    return issue.keys
      .slice(0, maxUnknownTold)
      .map((key) => ({ pointer: jsonPointer([...path, key]), code: "unknown_field", message: issue.message }));
  }
  const branch = issue.code === "invalid_union" ? meantBranch(issue.errors) : undefined;
  if (branch) return branch.flatMap((inner) => toIssues(inner, path));
  return [{ pointer: jsonPointer(path), code: codeOf(issue), message: issue.message }];
}

/** Of a check of our own, the code that it brings in `params`, else that the value is not taken. */
function codeOf(issue: z.core.$ZodIssue): IssueCode {
  const code = issue.code === "custom" ? issue.params?.["code"] : issue.code;
  return isIssueCode(code) ? code : "invalid_value";
}

/**
 * Of a union, the alternative that the value was meant for: the one whose faults lie within the value and not in its
 * type.
 */
function meantBranch(branches: z.core.$ZodIssue[][]): z.core.$ZodIssue[] | undefined {
  return branches.find(
    (issues) =>
      issues.length > 0 &&
      issues.every(({ code, path }) => path.length > 0 || !["invalid_type", "invalid_value"].includes(code)),
  );
}

/** Says that a field is unknown, and lists those that can be sent in its place. */
function known(issue: z.core.$ZodRawIssue, input: unknown): string {
  const { inPath, rest } = (input as { [inputOrigin]?: InputOrigin } | null)?.[inputOrigin] ?? {
    inPath: [],
    rest: "body",
  };
  const isElsewhere = (field: string) =>
    headerFields.includes(field) || (!issue.path?.length && inPath.includes(field));
  return unknownField(
    rest,
    knownFields(issue).filter((field) => !isElsewhere(field)),
  );
}

/** The message of a field that is not taken, which follows its name. */
export function unknownField(where: InputOrigin["rest"], fields: readonly string[]): string {
  const [one, all] = where === "query" ? ["query parameter", "parameters"] : ["field", "fields"];
  return `is not a known ${one}. ${fields.length > 0 ? `Known ${all}: ${fields.join(", ")}.` : "There are none here."}`;
}

/** "/items/0/id" as "items[0].id". */
function nameOf(place: string): string {
  const parts = place
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  if (parts.length === 0) return "The request";
  return parts.reduce(
    (name, part) => (/^\d+$/.test(part) ? `${name}[${part}]` : name === "" ? part : `${name}.${part}`),
    "",
  );
}

/** A whole number, also as a query holds it. One message says all that it must be. */
export const wholeNumber = (min: number, max: number) => {
  const isWhole = (value: unknown) =>
    typeof value === "number"
      ? Number.isSafeInteger(value)
      : typeof value === "string" && /^(?!-0+$)-?\d{1,16}$/.test(value);
  return z
    .custom<number | string>(
      (value) => isWhole(value) && Number(value) >= min && Number(value) <= max,
      `must be a whole number from ${min} to ${max}`,
    )
    .meta({ override: { type: "integer", minimum: min } })
    .transform(Number);
};

/**
 * Text on one line, trimmed, of bounded length: names, labels, reasons. Refuses characters that would make it read as
 * another.
 */
export const line = (max: number, text = z.string()) =>
  text
    .trim()
    .max(max)
    .regex(/^[^\p{Cc}]*$/u, "must not contain control characters")
    .refine(
      (text) => !changesDirection(text),
      "must not contain invisible characters that change the direction of the text; type it again without them",
    )
    .refine(
      (text) => !holdsInvisible(text),
      "must not contain characters that nobody sees, such as a zero-width space; type it again without them",
    )
    .refine((text) => !looksEmpty(text), "must contain something that can be seen");

/**
 * An id of a resource as the caller sends it. What has another form, or the prefix of another resource, is not found.
 */
export const id = <P extends IdPrefix>(prefix: P) =>
  z
    .string()
    .max(64)
    .transform((given) => readId(prefix, given));

/** An id as the server itself keeps it outside the database, such as in a cookie. */
export const storedId = <P extends IdPrefix>(_prefix: P) =>
  z.custom<Id<P>>((value) => z.uuid().safeParse(value).success);

/** RFC 3339 with an offset or Z. */
export const timestamp = z.iso.datetime({ offset: true }).transform((v) => new Date(v));
