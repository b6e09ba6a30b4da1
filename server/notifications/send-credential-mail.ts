import { randomUUID } from "node:crypto";
import { channelColumns, channelFactsOf, waitsMs, type ChannelRow } from "@/server/channels/view";
import type { TxCtx } from "@/server/core/context";
import { queuePool, queueSql } from "@/server/core/db";
import type { Region } from "@/server/core/dates";
import { publicId, type Id } from "@/server/core/ids";
import { transaction, type Tx } from "@/server/core/transaction";
import { effectiveState, type CredentialState } from "@/server/credentials/states";
import { credentialTitle } from "@/server/credentials/title";
import { verifyUrl } from "@/server/credentials/view";
import { append } from "@/server/events/append";
import { LeasedTable } from "@/server/reactions/leased-table";
import { credentialLetter } from "./credential-letter";
import { createMailer, handOver, leaseMs, nextState } from "./hand-over";
import type { MailSettings } from "./settings";

/** How many e-mails are claimed together. They are sent concurrently, each on its own connection. */
const batch = 5;

/** A call claims nothing more after this time; the next call goes on. */
const withinMs = 10_000;

interface Claimed extends ChannelRow {
  org_id: Id<"org">;
  attempts: number;
  claim_id: Id<"req">;
}

/** The leases of channels whose message is due. */
const leases = new LeasedTable<Pick<Claimed, "org_id" | "id" | "claim_id">>({
  table: "credential_channels",
  key: { org_id: { type: "uuid", of: (row) => row.org_id }, id: { type: "uuid", of: (row) => row.id } },
  claimId: { type: "uuid", of: (row) => row.claim_id },
  status: "status",
  due: "next_attempt_at",
});

/** What became of a message: taken by the mail server, to be tried again, or not to be sent, with the reason. */
type Result = "sent" | "retry" | { failed: string } | { retry: string };

const unwilling =
  "The mail server does not take messages from this service at the moment. The operator has to look at its settings; the message is sent again later.";

/**
 * Sends the due messages that a credential is ready. Each is sent once, unless the process ends after the SMTP server
 * accepted it and before that is recorded; then it is sent again with the same Message-ID. A credential that ended
 * meanwhile is not sent. Emits credential.channel.provisioned or credential.channel.failed.
 * @returns how many were sent
 */
export async function sendCredentialMail(
  settings: MailSettings | undefined,
  now: () => Date,
): Promise<{ sent: number }> {
  if (!settings) return { sent: 0 };
  const mailer = createMailer(settings);
  const until = now().getTime() + withinMs;
  let sent = 0;
  for (
    let claimed = await claim(now());
    claimed.length > 0;
    claimed = now().getTime() < until ? await claim(now()) : []
  ) {
    const results = await Promise.all(claimed.map((each) => send(mailer, each, now)));
    sent += results.filter((result) => result === "sent").length;
  }
  return { sent };
}

function claim(now: Date): Promise<Claimed[]> {
  return queueSql<Claimed>(claimStatement, [now, batch, randomUUID(), new Date(now.getTime() + leaseMs)]);
}

// Organisations take turns: the first message of each comes before the second of any. The index gives the organisations
// with pending messages one by one, so a backlog is not read.
const claimStatement = `
WITH RECURSIVE waiting AS (
  (SELECT org_id FROM credential_channels WHERE status = 'pending' ORDER BY org_id LIMIT 1)
  UNION ALL
  SELECT (SELECT ch.org_id FROM credential_channels ch WHERE ch.status = 'pending' AND ch.org_id > waiting.org_id ORDER BY ch.org_id LIMIT 1)
  FROM waiting WHERE waiting.org_id IS NOT NULL
), turns AS (
  SELECT next.*, row_number() OVER (PARTITION BY next.org_id ORDER BY next.next_attempt_at) AS turn FROM waiting
  JOIN organisations o ON o.id = waiting.org_id AND o.suspended_at IS NULL
  CROSS JOIN LATERAL (
    SELECT ch.org_id, ch.id, ch.next_attempt_at FROM credential_channels ch
    WHERE ch.org_id = o.id AND ch.type = 'email' AND ${leases.claimable("ch", "$1", "$3")} ORDER BY ch.next_attempt_at LIMIT $2
  ) next
), due AS MATERIALIZED (
  SELECT ch.ctid AS tid FROM turns JOIN credential_channels ch ON ch.org_id = turns.org_id AND ch.id = turns.id
  WHERE ch.type = 'email' AND ${leases.claimable("ch", "$1", "$3")} ORDER BY turns.turn, turns.next_attempt_at LIMIT $2 FOR UPDATE OF ch SKIP LOCKED
)
${leases.claim("due", "$3", "$4", ", attempts = leased.attempts + 1")} RETURNING org_id, claim_id, attempts, ${channelColumns}`;

interface Subject {
  code: string;
  state: CredentialState;
  valid_from: Date;
  expires_at: Date | null;
  title: string;
  holder: string;
  organisation: string;
  region: Region;
}

async function send(mailer: ReturnType<typeof createMailer>, claimed: Claimed, now: () => Date): Promise<Result> {
  const result = await attempt(mailer, claimed, now());
  await transaction((tx) => record(tx, claimed, result, now()), queuePool());
  return result;
}

async function attempt(mailer: ReturnType<typeof createMailer>, claimed: Claimed, now: Date): Promise<Result> {
  if (now.getTime() - claimed.asked_at.getTime() > waitsMs)
    return { failed: "The message waited for seven days and was not sent. Send the credential again." };
  const [about] = await queueSql<Subject>(selectSubject, [claimed.org_id, claimed.credential_id]);
  // Erased in the meantime: the channel went with the person.
  if (!about) return "retry";
  const state = effectiveState(about, now);
  if (state !== "active" && state !== "pending")
    return { failed: `The credential was ${state} before the message was sent.` };
  const letter = credentialLetter({
    ...about,
    link: verifyUrl(about.code),
    validFrom: state === "pending" ? about.valid_from : null,
    expiresAt: about.expires_at,
  });
  const channelId = publicId("chn", claimed.id);
  // Each time that somebody asks is a message of its own.
  const outcome = await handOver(mailer, claimed.address, `${channelId} ${claimed.asked_at.getTime()}`, letter, {
    orgId: publicId("org", claimed.org_id),
    channelId,
    attempt: claimed.attempts,
  });
  if (outcome === "refused") return { failed: "The mail server refused the address or the message." };
  return outcome === "unwilling" ? { retry: unwilling } : outcome;
}

const selectSubject = `
SELECT c.code, c.state, c.valid_from, c.expires_at, ${credentialTitle} AS title, s.display_name AS holder, o.name AS organisation,
  json_build_object('timeZone', o.time_zone, 'locale', o.locale) AS region
FROM credentials c
JOIN templates t ON t.org_id = c.org_id AND t.id = c.template_id
JOIN subjects s ON s.org_id = c.org_id AND s.id = c.subject_id AND s.erased_at IS NULL
JOIN organisations o ON o.id = c.org_id
WHERE c.org_id = $1 AND c.id = $2`;

/** Records the result of an attempt, unless another process claimed the channel, or somebody asked for it again. */
async function record(tx: Tx, claimed: Claimed, result: Result, now: Date): Promise<void> {
  const outcome = typeof result === "string" ? result : "retry" in result ? "retry" : "refused";
  const { state, dueAt } = nextState(outcome, claimed.attempts, now);
  const status = state === "sent" ? "provisioned" : state;
  const error =
    typeof result === "object" && "failed" in result
      ? result.failed
      : status === "failed"
        ? "The mail server did not take the message within a day."
        : typeof result === "object"
          ? result.retry
          : null;
  const held = await tx.sql(release, [...leases.columns([claimed]), status, dueAt, error, now]);
  if (held.length === 0 || status === "pending") return;
  const ctx: TxCtx = {
    orgId: claimed.org_id,
    actor: { type: "job", id: "credential_mail" },
    scopes: new Set(),
    requestId: "credential_mail",
    now,
    tx,
  };
  await append(ctx, {
    type: `credential.channel.${status}`,
    resourceId: claimed.id,
    object: channelFactsOf({ ...claimed, status, error }),
  });
}

const [status, dueAt, error, now] = [0, 1, 2, 3].map((n) => `$${leases.next + n}`);
const release = leases.release(
  `status = ${status}, next_attempt_at = ${dueAt}, error = ${error}, updated_at = ${now}, provisioned_at = CASE WHEN ${status} = 'provisioned' THEN ${now}::timestamptz ELSE leased.provisioned_at END`,
);
