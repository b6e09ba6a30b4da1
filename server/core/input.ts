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
 * Parses an input.
 * @throws DomainError invalid_request with a JSON pointer to each error and what to send instead
 */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  if (input instanceof RefusedRow) throw input.error;
  const context: z.core.ParseContextInternal<z.core.$ZodIssue> = {
    async: false,
    error: (issue) => (issue.code === "unrecognized_keys" ? known(issue, input) : wordsFor(issue)),
  };
  // Not safeParse(), which makes a message for every issue: a body of 10 MB can have a million.
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

/** Key for where REST found an input, used in error messages. A symbol, so that no schema takes it for a field. */
export const inputOrigin = Symbol("origin of an input");

export interface InputOrigin {
  /** The fields of the path, which cannot be sent elsewhere. */
  inPath: readonly string[];
  /** Where the other fields are sent. */
  rest: "body" | "query";
}

/** How many errors a refusal lists, and how many unknown fields of one object. */
const maxTold = 50;
const maxUnknownTold = 5;

/**
 * Makes the refusal of an input. A message that begins with a verb, such as "must not be empty", gets the name of its
 * field as the subject.
 * @param found how many errors there are, if `errors` does not hold all
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

/** The code of an issue. Our own checks give it in `params`; without a known code it is `invalid_value`. */
function codeOf(issue: z.core.$ZodIssue): IssueCode {
  const code = issue.code === "custom" ? issue.params?.["code"] : issue.code;
  return isIssueCode(code) ? code : "invalid_value";
}

/**
 * The alternative of a union that the value was meant for: the one whose errors are inside the value, not in its type.
 */
function meantBranch(branches: z.core.$ZodIssue[][]): z.core.$ZodIssue[] | undefined {
  return branches.find(
    (issues) =>
      issues.length > 0 &&
      issues.every(({ code, path }) => path.length > 0 || !["invalid_type", "invalid_value"].includes(code)),
  );
}

/** Says that a field is unknown, and lists those that can be sent instead. */
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

/** The message for an unknown field, which follows its name. */
export function unknownField(where: InputOrigin["rest"], fields: readonly string[]): string {
  const [one, all] = where === "query" ? ["query parameter", "parameters"] : ["field", "fields"];
  return `is not a known ${one}. ${fields.length > 0 ? `Known ${all}: ${fields.join(", ")}.` : "There are none here."}`;
}

/** Writes a control character as JSON does: a terminal or a log that shows the message must not obey it. */
const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Writes "/items/0/id" as "items[0].id". */
function nameOf(place: string): string {
  const parts = place
    .split("/")
    .slice(1)
    .map((part) =>
      part
        .replaceAll("~1", "/")
        .replaceAll("~0", "~")
        .replaceAll(/\p{Cc}/gu, escaped),
    );
  if (parts.length === 0) return "The request";
  if (parts.length === 1 && parts[0] === "") return 'The empty name ""';
  return parts.reduce(
    (name, part) => (/^\d+$/.test(part) ? `${name}[${part}]` : name === "" ? part : `${name}.${part}`),
    "",
  );
}

/** A whole number, as a number or as the text of a query. One message states all its requirements. */
export const wholeNumber = (min: number, max: number) => {
  const isWhole = (value: unknown) =>
    typeof value === "number"
      ? Number.isSafeInteger(value)
      : typeof value === "string" && /^(?:0|-?[1-9]\d{0,15})$/.test(value);
  return z
    .custom<number | string>(
      (value) => isWhole(value) && Number(value) >= min && Number(value) <= max,
      `must be a whole number from ${min} to ${max}`,
    )
    .meta({ override: { type: "integer", minimum: min } })
    .transform(Number);
};

/**
 * Text on one line, trimmed, of limited length: names, labels, reasons. Refuses characters that make it look like
 * another text.
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
      "must not contain invisible characters such as a zero-width space; type it again without them",
    )
    .refine((text) => !looksEmpty(text), "must contain something that can be seen");

/**
 * An id of a resource as the caller sends it. An id of another form, or with the prefix of another resource, matches no
 * row.
 */
export const id = <P extends IdPrefix>(prefix: P) =>
  z
    .string()
    .max(64)
    .transform((given) => readId(prefix, given));

/** An id in the server's internal form that is stored outside the database, such as in a cookie. */
export const storedId = <P extends IdPrefix>(_prefix: P) =>
  z.custom<Id<P>>((value) => z.uuid().safeParse(value).success);

/** RFC 3339 with an offset or Z. */
export const timestamp = z.iso.datetime({ offset: true }).transform((v) => new Date(v));
