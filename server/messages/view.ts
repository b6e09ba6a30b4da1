import { z } from "zod";
import { env } from "@/server/core/env";
import { publicId, type Id } from "@/server/core/ids";
import { type CredentialState } from "@/server/credentials/states";
import { verifyUrl } from "@/server/credentials/view";
import { messageKinds, messageStates, type MessageKind, type MessageState } from "@/server/message-texts/kinds";

/** How long a message waits for a mail server, in milliseconds. Then it fails, because it is out of date. */
export const waitsMs = 7 * 86_400_000;

/** A row of `messages`, joined with the facts of its credential and holder that the outbox shows. */
export interface MessageRow {
  id: Id<"msg">;
  kind: MessageKind;
  credential_id: Id<"crd">;
  subject_id: Id<"sub">;
  template_id: Id<"tpl">;
  /** The address that it was sent to, or that an administrator chose; null for a pending automatic message. */
  address: string | null;
  about: Date | null;
  state: MessageState;
  error: string | null;
  next_attempt_at: Date;
  lease_until: Date | null;
  asked_at: Date;
  sent_at: Date | null;
  created_at: Date;
  updated_at: Date;
  /** The holder's current address. */
  email: string | null;
  code: string;
  credential_state: CredentialState;
  valid_from: Date;
  expires_at: Date | null;
}

/** SQL: the columns of MessageRow of the message `m`, with joinMessage. */
export const messageColumns = `m.id, m.kind, m.credential_id, m.subject_id, m.template_id, m.address, m.about, m.state, m.error, m.next_attempt_at, m.lease_until, m.asked_at, m.sent_at, m.created_at, m.updated_at,
  shown.email, shown.code, shown.state AS credential_state, shown.valid_from, shown.expires_at`;

/** SQL: joins the credential of the message `m`, with the address of its holder. */
export const joinMessage = `CROSS JOIN LATERAL (
  SELECT c.code, c.state, c.valid_from, c.expires_at, s.email FROM credentials c JOIN subjects s ON s.org_id = c.org_id AND s.id = c.subject_id
  WHERE c.org_id = m.org_id AND c.id = m.credential_id OFFSET 0
) AS shown`;

const time = z.iso.datetime();

export const messageSchema = z
  .object({
    id: z.string(),
    object: z.literal("message"),
    kind: z.enum(messageKinds).meta({
      description:
        "sent: an administrator sent the credential by hand. All other kinds are sent automatically if the template asks for them.",
    }),
    state: z.enum(messageStates).meta({
      description:
        "pending: waits to be sent. sent: a mail server accepted it. bounced: a mail server refused the address. failed: it was not sent, or it is unknown whether it was. cancelled: somebody cancelled it, or it was no longer true. error says why.",
    }),
    to: z
      .string()
      .nullable()
      .meta({ description: "The address that it was sent to or, while it is pending, will be sent to." }),
    error: z.string().nullable(),
    subjectId: z.string(),
    credentialId: z.string(),
    templateId: z.string(),
    link: z.string().meta({ description: "The public page of the credential, which the message links to." }),
    nextAttemptAt: time.nullable().meta({
      description: "When the next attempt is due; null unless it is pending and this service has a mail server.",
    }),
    sentAt: time.nullable(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: "Message" });

export type MessageView = z.output<typeof messageSchema>;

export function messageView(row: MessageRow): MessageView {
  const isPending = row.state === "pending";
  return {
    id: publicId("msg", row.id),
    object: "message",
    kind: row.kind,
    state: row.state,
    to: row.address ?? (isPending ? row.email : null),
    error: row.error ?? (isPending && env().SMTP_URL === undefined ? noMailServer : null),
    subjectId: publicId("sub", row.subject_id),
    credentialId: publicId("crd", row.credential_id),
    templateId: publicId("tpl", row.template_id),
    link: verifyUrl(row.code),
    nextAttemptAt: isPending && env().SMTP_URL !== undefined ? row.next_attempt_at.toISOString() : null,
    sentAt: row.sent_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** The current state of the credential that a message is about. */
export const presentFacts = (row: MessageRow) => ({
  state: row.credential_state,
  valid_from: row.valid_from,
  expires_at: row.expires_at,
});

export const noMailServer =
  "This service has no mail server. The message will be sent if the operator configures one within seven days. Meanwhile, give the holder the link yourself.";
