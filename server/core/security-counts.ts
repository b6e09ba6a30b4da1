import { processState } from "./process-state";

/**
 * The types of security events: failed attempts to get in or to do more than is allowed, including by stored work whose
 * right had ended.
 */
export const securityEventTypes = [
  "sign_in_failed",
  "sign_in_limited",
  "second_factor_failed",
  "scope_refused",
  "link_misused",
  "token_refused",
  "job_stopped",
] as const;
export type SecurityEventType = (typeof securityEventTypes)[number];

const counts = processState("security counts", () => new Map<SecurityEventType, number>());

/** How often each type happened since the process started, for /metrics. */
export function securityCounts(): ReadonlyMap<SecurityEventType, number> {
  return counts;
}

export function countSecurityEvent(type: SecurityEventType): void {
  counts.set(type, (counts.get(type) ?? 0) + 1);
}
