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

/** Embeddings, overrides and isolates: they make text read otherwise than it is stored, e.g. "Ada \u202Eecila". */
const directionOverride = /[\u202A-\u202E\u2066-\u2069]/;
/** Invisible marks that set the direction of what stands beside them. Right-to-left writing needs them; other text does not. */
const directionMark = /[\u200E\u200F\u061C]/;
const rightToLeftLetter = /(?=\p{L})[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}]/u;

/** Whether a text holds characters that nobody sees and that make it look like another text (Unicode TR 36). */
export function deceives(text: string): boolean {
  return directionOverride.test(text) || (directionMark.test(text) && !rightToLeftLetter.test(text));
}

/** Text on one line, trimmed, of bounded length: names, labels, reasons. Refuses characters that would make it read as another. */
export const line = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .regex(/^[^\p{Cc}]*$/u, "must not contain control characters")
    .refine((text) => !deceives(text), "must not contain invisible characters that change the direction of the text; type it again without them");

/** An id as the caller sent it. Its form is not checked here: what has another form is not found. */
export const id = z.string().max(64);

/** RFC 3339 with an offset or Z. */
export const timestamp = z.iso.datetime({ offset: true }).transform((v) => new Date(v));
