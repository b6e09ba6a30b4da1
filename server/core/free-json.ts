import { z } from "zod";
import type { DomainError } from "./errors";
import { invalidInput } from "./input";

const maxDepth = 8;

const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Any JSON object up to a size and 8 levels deep (contract section 1). Not z.record, which drops the key `__proto__`.
 */
export const freeJson = (maxKib: number) =>
  (z.unknown() as z.ZodType<Record<string, unknown>, Record<string, unknown>>)
    .refine(isObject, {
      params: { code: "invalid_type" },
      error: ({ input }) =>
        input === null
          ? "must be an object, not null; leave it out to change nothing, and send a key with null to remove that key"
          : "must be an object",
      abort: true,
    })
    .superRefine((value, issue) => {
      if (depthOf(value) > maxDepth)
        issue.addIssue({
          code: "custom",
          params: { code: "too_big" },
          message: `must not be more than ${maxDepth} levels deep`,
        });
      else if (isLarger(value, maxKib))
        issue.addIssue({
          code: "custom",
          params: { code: "too_big" },
          message: `must not be over ${maxKib} KiB as JSON`,
        });
    })
    .meta({ override: { type: "object", propertyNames: { type: "string" }, additionalProperties: {} } });

export function isLarger(value: Record<string, unknown>, kib: number): boolean {
  return Buffer.byteLength(JSON.stringify(value)) > kib * 1024;
}

function depthOf(value: unknown, above = 0): number {
  if (typeof value !== "object" || value === null || above > maxDepth) return above;
  let deepest = above + 1;
  for (const inner of Object.values(value)) deepest = Math.max(deepest, depthOf(inner, above + 1));
  return deepest;
}

const maxMetadataKib = 4;

/** A caller's own data on a resource. Never public, never in events or the audit log. */
export const metadata = freeJson(maxMetadataKib).optional().meta({
  description:
    "Your own data, any JSON object up to 4 KiB. Never public and never in events. A change is merged: deep for objects, a key with null is removed.",
});

/** The schema of `metadata` in answers. */
export const metadataSchema = z
  .record(z.string(), z.unknown())
  .meta({ description: "Your own data. Never public and never in events." });

/**
 * Checks the size of merged metadata: the sent and the stored part can both be within the limit, and their sum not.
 * @throws DomainError invalid_request
 */
export function checkMergedMetadata(merged: Record<string, unknown>): void {
  if (isLarger(merged, maxMetadataKib)) throw tooLargeTogether("/metadata", maxMetadataKib);
}

export function tooLargeTogether(pointer: string, kib: number, remedy = ""): DomainError {
  return invalidInput([
    { pointer, code: "too_big", message: `must not be over ${kib} KiB as JSON, with what is stored already${remedy}` },
  ]);
}
