import type { MessageText } from "@/server/message-texts/default-texts";
import { automaticKinds, type AutomaticKind } from "@/server/message-texts/kinds";

/** What a form about messages holds of sender and texts. An empty field is none. */
export interface EnteredDefaults {
  senderName: string;
  replyTo: string;
  /** Null for the default text. */
  texts: Record<AutomaticKind, MessageText | null>;
}

/** What the form of a template holds. */
export interface EnteredMessages extends EnteredDefaults {
  automatic: AutomaticKind[];
  expiringDays: number;
}

interface Stored {
  senderName: string | null;
  replyTo: string | null;
  texts: Partial<Record<AutomaticKind, MessageText | undefined>>;
}

export const enteredOf = ({ senderName, replyTo, texts }: Stored): EnteredDefaults => ({
  senderName: senderName ?? "",
  replyTo: replyTo ?? "",
  texts: Object.fromEntries(automaticKinds.map((kind) => [kind, texts[kind] ?? null])) as EnteredDefaults["texts"],
});

/** The entered fields as the service takes them. */
export const inputOf = ({ senderName, replyTo, ...more }: Partial<EnteredDefaults>) => ({
  ...more,
  ...(senderName !== undefined && { senderName: senderName.trim() || null }),
  ...(replyTo !== undefined && { replyTo: replyTo.trim() || null }),
});
