import { effectiveState } from "@/server/credentials/states";
import { truthfulStates, type MessageKind } from "@/server/message-texts/kinds";
import type { MessageFacts } from "./facts";

/**
 * Why a message is not true any more, and so is not sent; null while it is. A message can wait for days, in which the
 * credential changes again.
 *
 * @param about the expiry that the message tells of
 */
export function overtaken(
  kind: MessageKind,
  about: Date | null,
  facts: Pick<MessageFacts, "state" | "valid_from" | "expires_at">,
  now: Date,
): string | null {
  const state = effectiveState(facts, now);
  if (!truthfulStates[kind].some((each) => each === state))
    return kind === "sent"
      ? `The credential was ${state} before the message was sent.`
      : `The credential is ${state} by now, so the message was not sent.`;
  if (kind !== "expiring" && kind !== "expiry_changed") return null;
  return about?.getTime() === facts.expires_at?.getTime()
    ? null
    : "The credential has another end by now, so the message was not sent.";
}
