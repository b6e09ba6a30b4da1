import type { AutomaticKind, MessageKind, MessageState } from "@/server/message-texts/kinds";
import type { RouterOutputs } from "@/server/trpc/root";

export type Message = RouterOutputs["messages"]["list"]["data"][number];
/** A message with the name of the person. */
export type Listed = Message & { holder: string | undefined };

/** The name of each kind of message. */
export const kindWords: Record<MessageKind, string> = {
  sent: "Credential sent",
  confirm_name: "Name to confirm",
  issued: "Credential is ready",
  suspended: "Credential suspended",
  resumed: "Credential valid again",
  revoked: "Credential revoked",
  expiring: "Credential expires soon",
  expiry_changed: "Credential expiry changed",
};

/** When each kind of message is sent automatically. */
export const occasionWords: Record<AutomaticKind, string> = {
  issued: "when a credential becomes valid, with the link to it",
  suspended: "when it is suspended, with the reason",
  resumed: "when it is valid again",
  revoked: "when it is revoked, with the reason. Nothing is sent if a new one replaces it.",
  expiring: "days before its expiry, once for each expiry",
  expiry_changed: "when its expiry changes, for example by a renewal",
};

/** The style and label of the chip for each state. */
export const stateWords: Record<MessageState, { of: string; label: string }> = {
  pending: { of: "pending", label: "Waiting" },
  sent: { of: "provisioned", label: "Sent" },
  bounced: { of: "failed", label: "Bounced" },
  failed: { of: "failed", label: "Not sent" },
  cancelled: { of: "cancelled", label: "Cancelled" },
};

/** Returns the milliseconds until messages are read again: few while one waits, because it is usually sent within seconds. */
export const pollEvery = (shown: Message[]): number =>
  shown.some(({ state }) => state === "pending") ? 5_000 : 30_000;
