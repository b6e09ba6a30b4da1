import { automaticKinds, type AutomaticKind } from "@/server/message-texts/kinds";
import type { MessageText } from "@/server/message-texts/texts";

/** The sender and text fields of a form about messages. An empty field means that none is set. */
export interface EnteredDefaults {
  senderName: string;
  replyTo: string;
  /** Null for the default text. */
  texts: Record<AutomaticKind, MessageText | null>;
}

/** The fields of a template's message form. */
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

/** Converts the entered fields to the input of the API. */
export const inputOf = ({ senderName, replyTo, ...more }: Partial<EnteredDefaults>) => ({
  ...more,
  ...(senderName !== undefined && { senderName: senderName.trim() || null }),
  ...(replyTo !== undefined && { replyTo: replyTo.trim() || null }),
});
