import { createHash } from "node:crypto";
import { z } from "zod";
import { DomainError } from "./errors";

/** The precondition of a change, from the header If-Match (RFC 9110 13.1.1); the console sends it as a field. */
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

/** Any (*), or a list of ETags (RFC 9110 section 8.8.3), whose empty elements do not count (section 5.6.1). */
const entityTags = /^(?:\*|[\s,]*(?:W\/)?"[^"]*"(?:\s*,[\s,]*(?:W\/)?"[^"]*")*[\s,]*)$/;

/** What was probably meant, where it can be told. */
const quoted = (sent: string) =>
  /^[\w-]{1,100}$/.test(sent.trim()) ? `"${sent.trim()}"` : `"3q2-7wAAAAAAAAAAAAAAAAAAAAA"`;

/** The precondition that nothing is there yet, from the header If-None-Match (RFC 9110 13.1.2). */
export const ifNoneMatch = z
  .literal("*", "If-None-Match must be *, for a write that only creates; it takes no ETags")
  .optional()
  .meta({ description: "*: create only. 412 where it is there already." });

/**
 * The ETag of a resource: it changes with every change that a PATCH or PUT could overwrite. What is counted or measured
 * besides, and the time of the change, are left out, so that a write that leaves the resource as it is leaves its tag
 * too.
 */
export function entityTag(resource: Record<string, unknown>, leaveOut: readonly string[]): string {
  const own = Object.entries(resource).filter(([field]) => !leaveOut.includes(field));
  return `"${createHash("sha256").update(JSON.stringify(own)).digest("base64url").slice(0, 27)}"`;
}

/**
 * Asked with the row locked, so that of several changes based on the same state one is made.
 * @throws DomainError precondition_failed
 */
export function requireMatch(sent: string | undefined, tag: string): void {
  if (sent === undefined || sent.trim() === "*") return;
  // A proxy that compresses answers makes tags weak (W/"…"); which version they name stays the same.
  const tags = sent.split(",").map((each) => each.trim().replace(/^W\//, ""));
  if (!tags.includes(tag)) throw changedMeanwhile({ etag: tag });
}

/** The refusal of a change that If-Match allows to what is there alone. */
export function notThere(what: string): DomainError {
  return new DomainError(
    "precondition_failed",
    `There is no ${what}, and If-Match asks to change one that is there already. Leave the header out to create it.`,
  );
}

/** The refusal of a write that only creates. */
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
