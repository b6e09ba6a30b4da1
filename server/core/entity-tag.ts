import { createHash } from "node:crypto";
import { z } from "zod";
import { DomainError } from "./errors";

/** The precondition of a change: the header If-Match (RFC 9110 section 13.1.1); the console sends it as a field. */
export const ifMatch = z
  .string()
  .max(2000, "If-Match must have at most 2000 characters")
  .refine((sent) => entityTags.test(sent.trim()), {
    error: ({ input }) => `If-Match must hold an ETag in double quotes, as it was answered: ${quoted(String(input))}`,
  })
  .optional()
  .meta({
    description:
      "The ETag of what the change is based on, in double quotes as it was answered. 412 where it has changed meanwhile.",
  });

/** Either * or a list of ETags (RFC 9110 section 8.8.3), whose empty elements are ignored (section 5.6.1). */
const entityTags = /^(?:\*|[\s,]*(?:W\/)?"[^"]*"(?:\s*,[\s,]*(?:W\/)?"[^"]*")*[\s,]*)$/;

/** An example for the message: what the caller probably meant if that can be guessed. */
const quoted = (sent: string) =>
  /^[\w.-]{1,100}$/.test(sent.trim()) ? `"${sent.trim()}"` : `"3q2-7wAAAAAAAAAAAAAAAAAAAAA"`;

/** The precondition that nothing exists yet: the header If-None-Match (RFC 9110 section 13.1.2). */
export const ifNoneMatch = z
  .literal("*", "If-None-Match must be *, for a write that only creates; it takes no ETags")
  .optional()
  .meta({ description: "*: create only. 412 where it is there already." });

/**
 * The ETag of a resource. It changes with every change that a PATCH or PUT could overwrite.
 * @param leaveOut fields that do not count: figures, and the time of the last change, so that a write that changes
 *   nothing keeps the tag
 */
export function entityTag(resource: Record<string, unknown>, leaveOut: readonly string[]): string {
  const own = Object.entries(resource).filter(([field]) => !leaveOut.includes(field));
  return `"${createHash("sha256").update(JSON.stringify(own)).digest("base64url").slice(0, 27)}"`;
}

/**
 * Returns the ETag of one answer: the resource's, a dot, and a digest of the body. If-Match asks for the part before the
 * dot, so that a figure that moved refuses no change; If-None-Match for all of it, so that 304 means the same bytes.
 */
export function answerTag(tag: string, body: string): string {
  return `${tag.slice(0, -1)}.${createHash("sha256").update(body).digest("base64url").slice(0, 16)}"`;
}

/**
 * Refuses a change unless If-Match names the current tag. Call it with the row locked, so that only one of several
 * changes that are based on the same state is made.
 * @throws DomainError precondition_failed
 */
export function requireMatch(sent: string | undefined, tag: string): void {
  if (sent === undefined || sent.trim() === "*") return;
  // A proxy that compresses answers makes tags weak (W/"…"), but they still name the same version.
  const tags = sent.split(",").map((each) =>
    each
      .trim()
      .replace(/^W\//, "")
      .replace(/\.[^."]*"$/, '"'),
  );
  if (!tags.includes(tag)) throw changedMeanwhile({ etag: tag });
}

/** The refusal of a change with If-Match if the resource does not exist. */
export function notThere(what: string): DomainError {
  return new DomainError(
    "precondition_failed",
    `There is no ${what}, and If-Match asks to change one that is there already. Leave the header out to create it.`,
  );
}

/** The refusal of a create-only write (If-None-Match: *) if the resource exists. */
export function existsAlready(): DomainError {
  return new DomainError(
    "precondition_failed",
    "It exists already, and If-None-Match: * asks to create only. Leave the header out to change it.",
  );
}

/** The refusal of a change that is based on an older state. */
export function changedMeanwhile(headers: Record<string, string> = {}): DomainError {
  return new DomainError(
    "precondition_failed",
    "It was changed after you read it. Read it again, repeat your change on what it is now, and send that ETag in If-Match.",
    { headers },
  );
}
