import { effectiveState } from "@/server/credentials/states";
import { truthfulStates, type MessageKind } from "@/server/message-texts/kinds";
import type { MessageFacts } from "./facts";

/**
 * Returns why a message is no longer true and must not be sent; null if it is still true. A message can wait for days, and
 * its credential may have changed again.
 *
 * @param about the expiry date that the message mentions
 */
export function outdatedReason(
  kind: MessageKind,
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
