import { effectiveState } from "@/server/credentials/states";
import { truthfulStates, type CredentialMessageKind } from "@/server/message-texts/kinds";
import type { ConfirmationState } from "@/server/credentials/confirmation";
import type { MessageFacts } from "./facts";

/**
 * Returns why a message is no longer true and must not be sent; null if it is still true. A message can wait for days, and
 * its credential may have changed again.
 *
 * @param about the expiry date that the message mentions
 */
export function outdatedReason(
  kind: CredentialMessageKind,
  about: Date | null,
  facts: Pick<MessageFacts, "state" | "valid_from" | "expires_at">,
  now: Date,
): string | null {
  const state = effectiveState(facts, now);
  if (!truthfulStates[kind].some((each) => each === state))
    return kind === "sent"
      ? `The credential was ${state} before the message was sent.`
      : `The credential is now ${state}, so the message was not sent.`;
  if (kind !== "expiring" && kind !== "expiry_changed") return null;
  return about?.getTime() === facts.expires_at?.getTime()
    ? null
    : "The credential now has another expiry date, so the message was not sent.";
}

/** Returns why a holder no longer has to be asked to confirm a name; null if the question is still open. */
export function outdatedConfirmation(state: ConfirmationState, linkExpiresAt: Date, now: Date): string | null {
  if (state === "confirmed") return "The name was confirmed already, so the message was not sent.";
  if (state === "cancelled") return "The request was cancelled, so the message was not sent.";
  return linkExpiresAt > now ? null : "The link has expired, so the message was not sent.";
}
