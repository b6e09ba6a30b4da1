import { env } from "@/server/core/env";
import { newId } from "@/server/core/ids";
import { encrypt } from "@/server/core/secrets";
import type { Tx } from "@/server/core/transaction";

export type AccountMailKind = "invitation" | "password_reset" | "email_verification" | "password_changed";

/** True where the operator configured an SMTP server. */
export const sendsMail = (): boolean => env().SMTP_URL !== undefined;

/** What the encrypted link of a mail is bound to. */
export const boundTo = (mailId: string) => `account-mail:${mailId}`;

/**
 * Queues an e-mail about an account, in the caller's transaction; server/notifications/send-account-mail.ts sends it after the commit.
 * @param link the one-time link that it carries; none for a password reset, whose link is made when it is sent, and for what only tells
 */
export async function queueAccountMail(tx: Tx, now: Date, kind: AccountMailKind, email: string, link?: { id: string; url: string }): Promise<void> {
  const id = newId("aml");
  await tx.sql(`INSERT INTO account_mails (id, kind, email, link_id, link, next_attempt_at, created_at) VALUES ($1, $2, $3, $4, $5, $6, $6)`, [
    id, kind, email, link?.id ?? null, link ? encrypt(link.url, boundTo(id)) : null, now,
  ]);
  tx.nudgeAfterCommit("mails");
}
