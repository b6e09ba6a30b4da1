/** What is counted and recorded of attempts to get in, and to do more than one may. */
export const securityEventTypes = ["sign_in_failed", "sign_in_limited", "second_factor_failed", "scope_refused", "link_misused", "token_refused"] as const;
export type SecurityEventType = (typeof securityEventTypes)[number];

// On globalThis since Next and the server bundle their modules apart: what one counts, the other tells.
const holder = globalThis as { bonafideSecurityCounts?: Map<SecurityEventType, number> };

/** How often each happened in this process since it began, for /metrics. */
export function securityCounts(): Map<SecurityEventType, number> {
  return (holder.bonafideSecurityCounts ??= new Map());
}

export function countSecurityEvent(type: SecurityEventType): void {
  securityCounts().set(type, (securityCounts().get(type) ?? 0) + 1);
}
