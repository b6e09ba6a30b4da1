import { env } from "@/server/core/env";
import { newId, type Id } from "@/server/core/ids";
import { encrypt } from "@/server/core/secrets";
import type { Tx } from "@/server/core/transaction";

export type AccountMailKind =
  | "invitation"
  | "password_reset"
  | "email_verification"
  | "password_changed"
  | "sign_in_changed"
  | "claim_decided"
  | ProofMailKind;

/** Mails that prove that a person reads an address: with a code for a claim, with a link for the holder's home. */
export type ProofMailKind = "claim_code" | "home_link" | "home_address";

/** Changes to the ways a person can sign in that are reported to them by e-mail, named as in the audit log. */
export type SignInChange =
  | "user.authenticator_app_added"
  | "user.authenticator_app_removed"
  | "user.passkey_added"
  | "user.passkey_removed"
  | "user.recovery_codes_made"
  | "user.second_factor_reset"
  | "user.sso_connected"
  | "user.sso_disconnected";

/** True if the operator configured an SMTP server. */
export const sendsMail = (): boolean => env().SMTP_URL !== undefined;

/** The context to which the encrypted link of a mail is bound. */
export const boundTo = (mailId: Id<"aml">) => `account-mail:${mailId}`;

/**
 * Queues an e-mail about an account, in the caller's transaction; server/notifications/send-account-mail.ts sends it
 * after the commit.
 *
 * @param link the one-time link in the mail, the code of a claim, or what was decided on a claim, as JSON. Leave it out for a password reset, whose link is
 * created when the mail is sent, and for a mail that only informs.
 * @param locale the locale of a mail to a holder, decided when the mail is queued, because the job that sends it knows
 * neither page nor reader. Mails about accounts of the console have none; they are in English, like the console.
 */
export async function queueAccountMail(
  tx: Tx,
  now: Date,
  kind: AccountMailKind,
  email: string,
  link?: { id: Id<"inv"> | Id<"prf"> | Id<"clm">; url: string },
  locale?: string,
): Promise<void> {
  const id = newId("aml");
  await tx.sql(
    `INSERT INTO account_mails (id, kind, email, link_id, link, locale, next_attempt_at, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $7)`,
    [id, kind, email, link?.id ?? null, link ? encrypt(link.url, boundTo(id)) : null, locale ?? null, now],
  );
  tx.nudgeAfterCommit("mails");
}

/**
 * Queues an e-mail that tells a person how their sign-in changed, if an SMTP server is configured. Sends nothing to an
 * unverified address, because somebody else may read its mail.
 */
export async function tellSignInChange(tx: Tx, now: Date, userId: Id<"usr">, change: SignInChange): Promise<void> {
  if (!sendsMail()) return;
  const told = await tx.sql(
    `INSERT INTO account_mails (id, kind, email, change, next_attempt_at, created_at)
     SELECT $1, 'sign_in_changed', email, $3, $4, $4 FROM users WHERE id = $2 AND email_verified_at IS NOT NULL RETURNING 1`,
    [newId("aml"), userId, change, now],
  );
  if (told.length > 0) tx.nudgeAfterCommit("mails");
}
