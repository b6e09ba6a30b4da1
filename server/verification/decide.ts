import type { Check, Checker } from "./checks";
import type { CredentialEvidence } from "./evidence";
import { reasons, type Reason } from "./reasons";

export interface Decision {
  result: "valid" | "invalid" | "indeterminate";
  reason: Reason | null;
  checks: Check[];
}

/**
 * Runs the checks. A failed check makes the credential invalid; otherwise a check with an error makes the result
 * indeterminate. If several checks give a reason, the first one in the order of `reasons` is the answer's reason.
 */
export function decide(checkers: readonly Checker[], evidence: CredentialEvidence, now: Date): Decision {
  return concluded(checkers.map((check) => check(evidence, now)).filter((check) => check !== undefined));
}

/** Combines the results of checks into one decision, as decide() does. */
export function concluded(checks: Check[]): Decision {
  const failed = checks.some(({ outcome }) => outcome === "fail");
  const unknown = checks.some(({ outcome }) => outcome === "error");
  const given = new Set(checks.map(({ reason }) => reason));
  return {
    result: failed ? "invalid" : unknown ? "indeterminate" : "valid",
    reason: reasons.find((reason) => given.has(reason)) ?? null,
    checks,
  };
}
