import type { Check, Checker } from "./checks";
import type { CredentialEvidence } from "./evidence";
import { reasons, type Reason } from "./reasons";

export interface Decision {
  result: "valid" | "invalid" | "indeterminate";
  reason: Reason | null;
  checks: Check[];
}

/**
 * Runs the checks. One that fails makes the credential invalid; otherwise one that could not look makes the answer
 * indeterminate. Where several give a reason, the most final is told.
 */
export function decide(checkers: readonly Checker[], evidence: CredentialEvidence, now: Date): Decision {
  return concluded(checkers.map((check) => check(evidence, now)).filter((check) => check !== undefined));
}

/** What several checks come to. */
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
