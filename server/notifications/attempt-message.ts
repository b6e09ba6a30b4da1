import type { SendMailOptions, Transporter } from "nodemailer";
import { queueSql } from "@/server/core/db";
import { presentable } from "@/server/core/deceptive-text";
import { publicId, type Id } from "@/server/core/ids";
import { textKindOf, type MessageKind } from "@/server/message-texts/kinds";
import { factsToAskWith, factsOfCredential, type ConfirmationFacts, type MessageFacts } from "@/server/messages/facts";
import { messageLetter, type MessageLetter } from "@/server/messages/letter";
import { mailLogo } from "@/server/messages/mail-logo";
import { outdatedConfirmation, outdatedReason } from "@/server/messages/outdated";
import { waitsMs } from "@/server/messages/view";
import { handOverMail, type Outcome } from "./hand-over";
import type { MailSettings } from "./settings";

/** A message that this process holds. */
export interface ClaimedMessage {
  org_id: Id<"org">;
  id: Id<"msg">;
  claim_id: Id<"req">;
  kind: MessageKind;
  /** Null for a message that asks to confirm a name. */
  credential_id: Id<"crd"> | null;
  confirmation_id: Id<"ncf"> | null;
  address: string | null;
  about: Date | null;
  attempts: number;
  asked_at: Date;
  /** A process that has ended held the message, and may have sent it. */
  interrupted: boolean;
}

/** The outcome of a message. */
export interface MessageResult {
  outcome: Outcome | "overtaken" | "later";
  /** Where it was sent. */
  address: string | null;
  /** Why it was not sent, or not yet. */
  error: string | null;
  /** The mail server's reply if it refused the message. It can name the address. */
  reply: string | null;
}

/** The most messages that an organisation sends to one address within a day. */
const mostToAddress = 20;

/** Tries to send one message, unless it is no longer true, or nobody is there to receive it. */
export async function attemptMessage(
  mailer: Transporter,
  settings: MailSettings,
  claimed: ClaimedMessage,
  now: Date,
): Promise<MessageResult> {
  const none = (outcome: MessageResult["outcome"], error: string | null = null): MessageResult => ({
    outcome,
    address: claimed.address,
    error,
    reply: null,
  });
  if (claimed.interrupted) return none("unknown", unknown);
  const found = await factsOf(claimed, now);
  // Erased in the meantime: the message was blanked with the person.
  if (!found) return none("overtaken", "The person was erased.");
  const { facts, reason } = found;
  if (reason) return none(claimed.kind === "sent" ? "refused" : "overtaken", reason);
  const automatic = claimed.kind !== "sent";
  const to = automatic ? facts.email : claimed.address;
  if (!to) return none("overtaken", "The person has no e-mail address any more.");
  if (automatic && !facts.holder_active)
    return none("overtaken", "The person is inactive, so the message was not sent.");
  if (now.getTime() - claimed.asked_at.getTime() > waitsMs) return none("refused", tooOld);
  if ((await sentLately(claimed.org_id, to, now)) >= mostToAddress)
    return none(
      "later",
      `This address has had ${mostToAddress} messages within 24 hours, which is the limit. This message is sent later.`,
    );
  if (claimed.kind === "confirm_name" && !(await noteAddress(claimed, to, now)))
    return none("overtaken", "The message was cancelled, or the person erased, before it was sent.");
  const logo = await mailLogo(claimed.org_id, facts.logo, now);
  const letter = messageLetter(facts, textKindOf(claimed.kind), now, logo);
  // Each request for a message is a message of its own.
  const key = `${publicId("msg", claimed.id)} ${claimed.asked_at.getTime()}`;
  const { outcome, reply } = await handOverMail(mailer, to, key, mailOf(letter, settings), {
    orgId: publicId("org", claimed.org_id),
    messageId: publicId("msg", claimed.id),
    attempt: claimed.attempts,
  });
  return { outcome, address: to, error: words[outcome] ?? null, reply: reply && presentable(reply).slice(0, 300) };
}

/**
 * Records the address of a link to confirm a name before the message is sent. If this process ends while it sends, a
 * later change of the person's address can still detect that the link went to another one (docs/decisions/548).
 *
 * @returns false if this process no longer holds the message
 */
async function noteAddress({ org_id, id, claim_id }: ClaimedMessage, address: string, now: Date): Promise<boolean> {
  const held = await queueSql(
    `UPDATE messages SET address = $4, updated_at = $5 WHERE org_id = $1 AND id = $2 AND claim_id = $3 AND state = 'pending' RETURNING 1`,
    [org_id, id, claim_id, address, now],
  );
  return held.length > 0;
}

/** Loads the data of the message, and why it is no longer true; undefined if the person was erased. */
async function factsOf(
  claimed: ClaimedMessage,
  now: Date,
): Promise<{ facts: MessageFacts | ConfirmationFacts; reason: string | null } | undefined> {
  if (claimed.kind === "confirm_name") {
    const facts = await factsToAskWith(queueSql, claimed.org_id, claimed.confirmation_id!, now);
    return facts && { facts, reason: outdatedConfirmation(facts.state, facts.expires_at!, now) };
  }
  const facts = await factsOfCredential(queueSql, claimed.org_id, claimed.credential_id!);
  return facts && { facts, reason: outdatedReason(claimed.kind, claimed.about, facts, now) };
}

export const tooOld = "The message waited for seven days and was not sent. Send the credential again.";

const unknown = "Sending was interrupted, so nobody knows whether the message arrived. Send it again if it did not.";

const words: Partial<Record<Outcome, string>> = {
  retry: "At the last attempt the mail server did not take the message. It is tried again.",
  bounced: "The mail server refused the address.",
  refused: "The mail server refused the message.",
  unwilling:
    "The mail server does not take messages from this service at the moment. The operator has to look at its settings; the message is sent again later.",
  unknown,
};

async function sentLately(orgId: Id<"org">, address: string, now: Date): Promise<number> {
  const [row] = await queueSql<{ n: number }>(
    `SELECT count(*) AS n FROM messages WHERE org_id = $1 AND lower(address) = lower($2) AND sent_at > $3`,
    [orgId, address, new Date(now.getTime() - 86_400_000)],
  );
  return row!.n;
}

/** A letter with its sender: the address is always the one of the service, for which the mail server is known. */
export function mailOf(letter: MessageLetter, settings: MailSettings) {
  const { subject, text, html, senderName, replyTo, logo } = letter;
  const from: SendMailOptions["from"] = senderName
    ? { name: senderName, address: /<([^<>]+)>\s*$/.exec(settings.from)?.[1] ?? settings.from }
    : settings.from;
  return {
    subject,
    text,
    html,
    from,
    ...(replyTo && { replyTo: { name: "", address: replyTo } }),
    ...(logo && {
      attachments: [
        {
          cid: "logo",
          contentType: "image/png",
          content: Buffer.from(logo.url.slice(logo.url.indexOf(",") + 1), "base64"),
          contentDisposition: "inline" as const,
          filename: false as const,
        },
      ],
    }),
  };
}
