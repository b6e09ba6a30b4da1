import { z } from "zod";
import { DomainError, type InputIssue } from "./errors";

/** Parses an input, or throws invalid_request with a JSON pointer to each thing that is wrong. */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw invalidInput(parsed.error.issues.flatMap(toIssues));
}

export function invalidInput(errors: InputIssue[]): DomainError {
  const first = errors[0];
  const more = errors.length > 1 ? ` And ${errors.length - 1} more; see errors.` : "";
  return new DomainError("invalid_request", first ? `${first.pointer || "The request"}: ${first.message}${more}` : "The input is not valid.", {
    errors: errors.slice(0, 50),
  });
}

function toIssues(issue: z.core.$ZodIssue): InputIssue[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ pointer: pointer([...issue.path, key]), code: "unknown_field", message: "There is no such field." }));
  }
  return [{ pointer: pointer(issue.path), code: issue.code, message: issue.message }];
}

function pointer(path: PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** Text on one line, trimmed, of bounded length. */
export const line = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .regex(/^[^\p{Cc}]*$/u, "must not contain control characters");

/** An id as the caller sent it. Its form is not checked here: what has another form is not found. */
export const id = z.string().max(64);

/** RFC 3339 with an offset or Z. */
export const timestamp = z.iso.datetime({ offset: true }).transform((v) => new Date(v));
