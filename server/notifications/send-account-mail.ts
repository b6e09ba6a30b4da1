import { randomUUID } from "node:crypto";
import type { Transporter } from "nodemailer";
import { boundTo, type AccountMailKind, type SignInChange } from "@/server/access/account-mail";
import { audit } from "@/server/access/audit";
import { membershipsOf } from "@/server/access/memberships";
import { createLink, mailedResetMs } from "@/server/access/one-time-link";
import { queuePool, queueSql } from "@/server/core/db";
import { env } from "@/server/core/env";
import { Failures } from "@/server/core/failures";
import { languageOf } from "@/server/core/languages";
import { newPublicId, publicId, type Id } from "@/server/core/ids";
import { decrypt, encrypt } from "@/server/core/secrets";
import { transaction } from "@/server/core/transaction";
import { LeasedTable } from "@/server/reactions/leased-table";
import { accountLetter, passwordChangedLetter, signInChangedLetter } from "./account-letter";
import { claimDecidedLetter, type DecidedFacts } from "./claim-decided-letter";
import { isProofKind, proofLetterFor } from "./proof-mail";
import { createMailer, handOver, leaseMs, nextState, type Outcome } from "./hand-over";
import type { Letter } from "./letter";
import type { MailSettings } from "./settings";

/** How many e-mails are claimed together. They are sent concurrently, each on its own connection. */
const batch = 5;

/** A call claims nothing more after this time; the next call continues. */
const withinMs = 10_000;

/** The most password resets that are mailed to one account in an hour. Further ones are silently dropped. */
const resetsPerHour = 3;

interface Claimed {
  id: Id<"aml">;
  kind: AccountMailKind;
  email: string;
  link: Uint8Array | null;
  change: SignInChange | null;
  locale: string | null;
  attempts: number;
  created_at: Date;
  claim_id: Id<"req">;
}

/** The leases of due e-mails. */
const leases = new LeasedTable<Pick<Claimed, "id" | "claim_id">>({
  table: "account_mails",
  key: { id: { type: "uuid", of: (mail) => mail.id } },
  claimId: { type: "uuid", of: (mail) => mail.claim_id },
  status: "state",
  due: "next_attempt_at",
});

/**
 * Sends the due e-mails about accounts. Each is sent once, unless the process ends after the SMTP server accepted it
 * and before that is recorded; then it is sent again with the same Message-ID. One that cannot be written does not stop the
 * others; its error is thrown in the end.
 * @returns how many were sent
 */
export async function sendAccountMail(settings: MailSettings | undefined, now: () => Date): Promise<{ sent: number }> {
  if (!settings) return { sent: 0 };
  const mailer = createMailer(settings);
  const until = now().getTime() + withinMs;
  const failures = new Failures();
  let sent = 0;
  for (
    let claimed = await claim(now());
    claimed.length > 0;
    claimed = now().getTime() < until ? await claim(now()) : []
  ) {
    const outcomes = await Promise.all(claimed.map((mail) => failures.keep(send(mailer, mail, now))));
    sent += outcomes.filter((outcome) => outcome === "sent").length;
  }
  failures.throw();
  return { sent };
}

async function send(mailer: Transporter, mail: Claimed, now: () => Date): Promise<Outcome | undefined> {
  const letter = await letterFor(mail, now());
  // There is no recipient, or the link was withdrawn or used since.
  if (!letter) return void (await forget(mail));
  const outcome = await handOver(mailer, mail.email, publicId("aml", mail.id), letter, {
    kind: mail.kind,
    attempt: mail.attempts,
  });
  await recordOutcome(mail, outcome, now());
  return outcome;
}

function claim(now: Date): Promise<Claimed[]> {
  return queueSql<Claimed>(claimStatement, [now, batch, randomUUID(), new Date(now.getTime() + leaseMs)]);
}

const claimStatement = `
WITH due AS MATERIALIZED (
  SELECT m.ctid AS tid FROM account_mails m WHERE ${leases.claimable("m", "$1", "$3")} ORDER BY m.next_attempt_at LIMIT $2 FOR UPDATE SKIP LOCKED
)
${leases.claim("due", "$3", "$4", ", attempts = leased.attempts + 1")} RETURNING id, kind, email, link, change, locale, attempts, created_at, claim_id`;

async function letterFor(mail: Claimed, now: Date): Promise<Letter | null> {
  const { kind } = mail;
  if (kind === "password_changed") return passwordChangedLetter(mail.created_at, env().PUBLIC_URL);
  if (kind === "sign_in_changed")
    return mail.change && signInChangedLetter(mail.change, mail.created_at, env().PUBLIC_URL);
  if (kind === "claim_decided")
    return (
      mail.link &&
      claimDecidedLetter(JSON.parse(decrypt(mail.link, boundTo(mail.id))) as DecidedFacts, languageOf(mail.locale))
    );
  if (isProofKind(kind)) return proofLetterFor({ ...mail, kind }, now);
  const link = mail.link
    ? decrypt(mail.link, boundTo(mail.id))
    : mail.kind === "password_reset"
      ? await makeReset(mail, now)
      : null;
  if (!link) return null;
  const [about] = await queueSql<{ organisation: string | null; expires_at: Date }>(
    `SELECT o.name AS organisation, l.expires_at FROM account_mails m JOIN one_time_links l ON l.id = m.link_id LEFT JOIN organisations o ON o.id = l.org_id
     WHERE m.id = $1 AND l.used_at IS NULL AND l.expires_at > $2`,
    [mail.id, now],
  );
  return about ? accountLetter({ kind, link, organisation: about.organisation, expiresAt: about.expires_at }) : null;
}

/**
 * Makes the link of a password reset; null unless an account has this address and verified it. With an unverified
 * address, the reader of the mailbox need not be the owner of the account. Writes an audit entry in each of the
 * person's organisations.
 */
function makeReset(mail: Claimed, now: Date): Promise<string | null> {
  return transaction(async (tx) => {
    const [user] = await tx.sql<{ id: Id<"usr"> }>(
      `SELECT id FROM users WHERE email = $1 AND email_verified_at IS NOT NULL AND disabled_at IS NULL FOR UPDATE`,
      [mail.email],
    );
    if (!user) return null;
    const recent = await tx.sql(
      `SELECT 1 FROM one_time_links WHERE purpose = 'password_reset' AND email = $1 AND mailed AND created_at > $2`,
      [mail.email, new Date(now.getTime() - 3_600_000)],
    );
    if (recent.length >= resetsPerHour) return null;
    const { id, url } = await createLink(tx, now, {
      purpose: "password_reset",
      email: mail.email,
      mailed: true,
      lifetimeMs: mailedResetMs,
    });
    await tx.sql(`UPDATE account_mails SET link_id = $2, link = $3 WHERE id = $1`, [
      mail.id,
      id,
      encrypt(url, boundTo(mail.id)),
    ]);
    for (const { orgId } of await membershipsOf(tx.sql, user.id)) {
      await audit(
        {
          orgId,
          actor: { type: "public", id: "forgot-password" },
          scopes: new Set(),
          requestId: newPublicId("req"),
          now,
          tx,
        },
        "user.password_reset_requested",
        { type: "user", id: publicId("usr", user.id) },
      );
    }
    return url;
  }, queuePool());
}

/** Records the outcome of an attempt, unless another process has claimed the e-mail since. */
async function recordOutcome(mail: Claimed, outcome: Outcome, now: Date): Promise<void> {
  const { state, dueAt } = nextState(outcome, mail.attempts, now);
  await queueSql(record, [...leases.columns([mail]), state, dueAt]);
}

const [state, dueAt] = [`$${leases.next}`, `$${leases.next + 1}`];
const record = leases.release(
  `state = ${state}, next_attempt_at = ${dueAt}, link = CASE WHEN ${state} = 'pending' THEN link END`,
);

async function forget({ id }: Claimed): Promise<void> {
  await queueSql(`DELETE FROM account_mails WHERE id = $1`, [id]);
}
