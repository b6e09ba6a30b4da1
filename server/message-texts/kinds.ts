/** The messages that a template can ask for, in the order in which the console lists them. */
export const automaticKinds = ["issued", "suspended", "resumed", "revoked", "expiring", "expiry_changed"] as const;
export type AutomaticKind = (typeof automaticKinds)[number];

/**
 * All kinds of messages to holders. `sent`: an administrator sent the credential by hand, with the text of `issued`.
 * `confirm_name`: asks the holder to confirm the name, before the credential is issued.
 */
export const messageKinds = ["sent", "confirm_name", ...automaticKinds] as const;
export type MessageKind = (typeof messageKinds)[number];
/** The kinds of messages about a credential that exists. */
export type CredentialMessageKind = Exclude<MessageKind, "confirm_name">;
/** The kinds of messages that have a text of their own. */
export type TextKind = AutomaticKind | "confirm_name";

/** For each kind of message, the states of the credential in which the message is true. */
export const truthfulStates: Record<
  CredentialMessageKind,
  readonly ("pending" | "active" | "suspended" | "revoked")[]
> = {
  sent: ["active", "pending"],
  issued: ["active"],
  suspended: ["suspended"],
  resumed: ["active"],
  revoked: ["revoked"],
  expiring: ["active"],
  expiry_changed: ["active", "pending"],
};

/** The kind whose text a message uses. */
export const textKindOf = (kind: MessageKind): TextKind => (kind === "sent" ? "issued" : kind);

/** The states of a message. */
export const messageStates = ["pending", "sent", "bounced", "failed", "cancelled"] as const;
export type MessageState = (typeof messageStates)[number];

/** How many days before the expiry its message is sent, unless the template says otherwise. */
export const defaultExpiringDays = 30;
export const mostExpiringDays = 365;
