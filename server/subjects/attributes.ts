import type { DomainError } from "@/server/core/errors";
import { freeJson, isLarger, tooLargeTogether } from "@/server/core/free-json";

const maxKib = 64;

/** Free-form key/value data: any JSON object up to 64 KiB and 8 levels deep (contract section 1). */
export const attributes = freeJson(maxKib);

/** Whether merged attributes exceed the limit. The sent and the stored attributes may each fit, but not together. */
export function areTooLarge(merged: Record<string, unknown>): boolean {
  return isLarger(merged, maxKib);
}

export function overgrown(): DomainError {
  return tooLargeTogether("/attributes", maxKib, "; remove keys with null, or replace");
}
