import { builtInWord, type BuiltInWord } from "@/server/core/built-in-words";
import type { OwnVerification } from "@/server/verification/view";

/** The state of a credential in one to three words, for the front of a pass. */
export function stateWord({ result, state, reason }: OwnVerification): BuiltInWord {
  if (result === "valid") return "Valid";
  if (reason === "superseded") return "Replaced";
  const words = {
    pending: "Not yet valid",
    active: "Not valid",
    suspended: "Suspended",
    expired: "Expired",
    revoked: "Revoked",
  } as const;
  return words[state];
}

/** The state with its public reason, for the back of a pass and the message on the lock screen. */
export function stateSentence(verification: OwnVerification, suspensionReason: string | null, locale: string): string {
  const { state, credential } = verification;
  const reason = state === "revoked" ? credential.revocationReason : state === "suspended" ? suspensionReason : null;
  const word = builtInWord(stateWord(verification), locale);
  return reason ? `${word}: ${reason}` : word;
}
