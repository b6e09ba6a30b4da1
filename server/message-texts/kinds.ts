/** The messages that a template can ask for, in the order in which the console lists them. */
export const automaticKinds = ["issued", "suspended", "resumed", "revoked", "expiring", "expiry_changed"] as const;
export type AutomaticKind = (typeof automaticKinds)[number];

/** All kinds of messages to holders. `sent`: an administrator sent the credential by hand, with the text of `issued`. */
export const messageKinds = ["sent", ...automaticKinds] as const;
export type MessageKind = (typeof messageKinds)[number];

/** For each kind of message, the states of the credential in which the message is true. */
export const truthfulStates: Record<MessageKind, readonly ("pending" | "active" | "suspended" | "revoked")[]> = {
  sent: ["active", "pending"],
  issued: ["active"],
  suspended: ["suspended"],
  resumed: ["active"],
  revoked: ["revoked"],
  expiring: ["active"],
  expiry_changed: ["active", "pending"],
};

/** The kind whose text a message uses. */
export const textKindOf = (kind: MessageKind): AutomaticKind => (kind === "sent" ? "issued" : kind);

/** The states of a message. */
export const messageStates = ["pending", "sent", "bounced", "failed", "cancelled"] as const;
export type MessageState = (typeof messageStates)[number];

/** How many days before the expiry its message is sent, unless the template says otherwise. */
export const defaultExpiringDays = 30;
export const mostExpiringDays = 365;
