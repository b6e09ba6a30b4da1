import { z } from "zod";
import type { Ctx } from "@/server/core/context";
import { env } from "@/server/core/env";
import { publicId, type Id } from "@/server/core/ids";
import { confirmationUrl, type ConfirmationState } from "@/server/credentials/confirmation";
import { type CredentialState } from "@/server/credentials/states";
import { verifyUrl } from "@/server/credentials/view";
import {
  messageKinds,
  messageStates,
  type CredentialMessageKind,
  type MessageKind,
  type MessageState,
} from "@/server/message-texts/kinds";
import { outdatedConfirmation, outdatedReason } from "./outdated";

/** How long a message waits for a mail server, in milliseconds. Then it fails, because it is out of date. */
export const waitsMs = 7 * 86_400_000;

/** A row of `messages`, joined with the facts of its credential and holder that the outbox shows. */
export interface MessageRow {
  id: Id<"msg">;
  kind: MessageKind;
  /** Null for a message that asks to confirm a name. */
  credential_id: Id<"crd"> | null;
  confirmation_id: Id<"ncf"> | null;
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
  /** The subject of the message: a credential, or a request to confirm a name. */
  shown:
    | { code: string; state: CredentialState; valid_from: string; expires_at: string | null }
    | { token: string; state: ConfirmationState; link_expires_at: string };
}

/** SQL: the columns of MessageRow of the message `m`, with joinMessage. */
export const messageColumns = `m.id, m.kind, m.credential_id, m.confirmation_id, m.subject_id, m.template_id, m.address, m.about, m.state, m.error, m.next_attempt_at, m.lease_until, m.asked_at, m.sent_at, m.created_at, m.updated_at,
  shown.email, shown.facts AS shown`;

/** SQL: joins the subject of the message `m`, with the address of its holder. */
export const joinMessage = `CROSS JOIN LATERAL (
  SELECT json_build_object('code', c.code, 'state', c.state, 'valid_from', c.valid_from, 'expires_at', c.expires_at) AS facts, s.email
  FROM credentials c JOIN subjects s ON s.org_id = c.org_id AND s.id = c.subject_id
  WHERE c.org_id = m.org_id AND c.id = m.credential_id
  UNION ALL
  SELECT json_build_object('token', n.token, 'state', n.state, 'link_expires_at', n.link_expires_at), s.email
  FROM name_confirmations n JOIN subjects s ON s.org_id = n.org_id AND s.id = n.subject_id
  WHERE n.org_id = m.org_id AND n.id = m.confirmation_id
  OFFSET 0
) AS shown`;

const time = z.iso.datetime();

export const messageSchema = z
  .object({
    id: z.string(),
    object: z.literal("message"),
    kind: z.enum(messageKinds).meta({
      description:
        "sent: an administrator sent the credential by hand. confirm_name: asks the holder to confirm the name before the credential is issued. All other kinds are sent automatically if the template asks for them.",
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
    credentialId: z.string().meta({
      description: "Empty for the kind confirm_name: there is no credential yet. See nameConfirmationId.",
    }),
    nameConfirmationId: z.string().nullable().meta({ description: "Of the kind confirm_name." }),
    templateId: z.string(),
    link: z.string().meta({
      description:
        "What the message links to: the public page of the credential, or of the kind confirm_name the page on which the holder confirms the name. That one is empty once it is decided, and for callers without the scope credentials:issue.",
    }),
    nextAttemptAt: time.nullable().meta({
      description: "When the next attempt is due; null unless it is pending and this service has a mail server.",
    }),
    sentAt: time.nullable(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: "Message" });

export type MessageView = z.output<typeof messageSchema>;

export function messageView(row: MessageRow, { scopes }: Pick<Ctx, "scopes">): MessageView {
  const isPending = row.state === "pending";
  return {
    id: publicId("msg", row.id),
    object: "message",
    kind: row.kind,
    state: row.state,
    to: row.address ?? (isPending ? row.email : null),
    error: row.error ?? (isPending && env().SMTP_URL === undefined ? noMailServer : null),
    subjectId: publicId("sub", row.subject_id),
    credentialId: publicId("crd", row.credential_id) ?? "",
    nameConfirmationId: publicId("ncf", row.confirmation_id),
    templateId: publicId("tpl", row.template_id),
    link: linkOf(row.shown, scopes.has("credentials:issue")),
    nextAttemptAt: isPending && env().SMTP_URL !== undefined ? row.next_attempt_at.toISOString() : null,
    sentAt: row.sent_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

function linkOf(shown: MessageRow["shown"], mayConfirm: boolean): string {
  if ("code" in shown) return verifyUrl(shown.code);
  return shown.state === "waiting" && mayConfirm ? confirmationUrl(shown.token) : "";
}

/** Returns why the message is no longer true, given the present state of its subject; null if it is true. */
export function outdatedMessage({ kind, about, shown }: MessageRow, now: Date): string | null {
  if (!("code" in shown)) return outdatedConfirmation(shown.state, new Date(shown.link_expires_at), now);
  const { state, valid_from, expires_at } = shown;
  const facts = {
    state,
    valid_from: new Date(valid_from),
    expires_at: expires_at === null ? null : new Date(expires_at),
  };
  return outdatedReason(kind as CredentialMessageKind, about, facts, now);
}

/** The target of audit entries about the message. */
export const targetOf = (row: MessageRow) =>
  row.confirmation_id
    ? { type: "name_confirmation", id: publicId("ncf", row.confirmation_id) }
    : { type: "credential", id: publicId("crd", row.credential_id!) };

export const noMailServer =
  "This service has no mail server. The message will be sent if the operator configures one within seven days. Meanwhile, give the holder the link yourself.";
