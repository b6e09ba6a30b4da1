/** The messages that a template can ask for, in the order in which the console lists them. */
export const automaticKinds = ["issued", "suspended", "resumed", "revoked", "expiring", "expiry_changed"] as const;
export type AutomaticKind = (typeof automaticKinds)[number];

/** All messages to holders. `sent`: somebody sent the credential; it has the text of `issued`. */
export const messageKinds = ["sent", ...automaticKinds] as const;
export type MessageKind = (typeof messageKinds)[number];

/** The states of a credential in which each message still tells the truth. */
export const truthfulStates: Record<MessageKind, readonly ("pending" | "active" | "suspended" | "revoked")[]> = {
  sent: ["active", "pending"],
  issued: ["active"],
  suspended: ["suspended"],
  resumed: ["active"],
  revoked: ["revoked"],
  expiring: ["active"],
  expiry_changed: ["active", "pending"],
};

/** The text that a message has. */
export const textKindOf = (kind: MessageKind): AutomaticKind => (kind === "sent" ? "issued" : kind);

/** The states of a message. */
export const messageStates = ["pending", "sent", "bounced", "failed", "cancelled"] as const;
export type MessageState = (typeof messageStates)[number];

/** How many days before its end a holder is told that a credential expires, unless the template says otherwise. */
export const defaultExpiringDays = 30;
export const mostExpiringDays = 365;
