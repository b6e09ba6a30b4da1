import type { OwnVerification } from "@/server/verification/view";

/** The state of a credential in one to three words, for the front of a pass. */
export function stateWord({ result, state, reason }: OwnVerification): string {
  if (result === "valid") return "Valid";
  if (reason === "superseded") return "Replaced";
  return {
    pending: "Not yet valid",
    active: "Not valid",
    suspended: "Suspended",
    expired: "Expired",
    revoked: "Revoked",
  }[state];
}

/** The state with its public reason, for the back of a pass and the message on the lock screen. */
export function stateSentence(verification: OwnVerification, suspensionReason: string | null): string {
  const { state, credential } = verification;
  const reason = state === "revoked" ? credential.revocationReason : state === "suspended" ? suspensionReason : null;
  return reason ? `${stateWord(verification)}: ${reason}` : stateWord(verification);
}
