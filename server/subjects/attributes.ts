import { z } from "zod";
import type { DomainError } from "@/server/core/errors";
import { invalidInput } from "@/server/core/input";

const maxBytes = 64 * 1024;
const maxDepth = 8;

const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Free-form key/value data: any JSON object up to 64 KiB and 8 levels deep (contract section 1). Not z.record, which drops the
 * key `__proto__`.
 */
export const attributes = (z.unknown() as z.ZodType<Record<string, unknown>, Record<string, unknown>>)
  .refine(isObject, { error: "must be an object", abort: true })
  .superRefine((value, issue) => {
    if (depthOf(value) > maxDepth) issue.addIssue({ code: "custom", message: `must not be more than ${maxDepth} levels deep` });
    else if (areTooLarge(value)) issue.addIssue({ code: "custom", message: "must not be over 64 KiB as JSON" });
  })
  .meta({ override: { type: "object", propertyNames: { type: "string" }, additionalProperties: {} } });

/** Sent attributes that fit can be merged into stored ones that fit, and the sum not fit. */
export function areTooLarge(merged: Record<string, unknown>): boolean {
  return Buffer.byteLength(JSON.stringify(merged)) > maxBytes;
}

export function overgrown(): DomainError {
  return invalidInput([{ pointer: "/attributes", code: "too_big", message: "must not be over 64 KiB as JSON, with what is stored already; remove keys with null, or replace" }]);
}

function depthOf(value: unknown, above = 0): number {
  if (typeof value !== "object" || value === null || above > maxDepth) return above;
  return Object.values(value).reduce<number>((deepest, inner) => Math.max(deepest, depthOf(inner, above + 1)), above + 1);
}
