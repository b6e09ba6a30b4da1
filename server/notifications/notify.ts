import type { Transporter } from "nodemailer";
import { env } from "@/server/core/env";
import { Failures } from "@/server/core/failures";
import { publicId } from "@/server/core/ids";
import { claimNotifications, keepUnsent, recordOutcome, type Claimed } from "./claim";
import { queueEndpointNotices } from "./endpoint-notices";
import { createMailer, handOver, type Outcome } from "./hand-over";
import { letterOf } from "./letter";
import { queuePolicyFailureNotices, queuePolicyNotices } from "./policy-notices";
import { queueConnectorFailureNotices, queueKeyNotices, queueRunNotices, queueStagedNotices } from "./run-notices";
import type { MailSettings } from "./settings";

/** A call claims nothing more after this time; the next call continues. */
const withinMs = 10_000;

export interface Notified {
  queued: number;
  sent: number;
}

/**
 * Queues notifications and sends those that are due. Without settings they are kept unsent, for the list of alerts
 * (list-alerts.ts), and stay unsent, so that configuring mail later does not send old news. An e-mail is sent once, unless the process or a connection ends after the SMTP server
 * accepted it and before that is recorded; then it is sent again with the same Message-ID. A kind of notification that
 * cannot be queued and an e-mail that cannot be written do not stop the others; their errors are thrown in the end.
 */
export async function notify(settings: MailSettings | undefined, now: () => Date): Promise<Notified> {
  const until = now().getTime() + withinMs;
  const failures = new Failures();
  const notified = { queued: 0, sent: 0 };
  for (const queue of queues) notified.queued += (await failures.keep(queue(now()))) ?? 0;
  if (!settings) {
    await keepUnsent();
    failures.throw();
    return notified;
  }
  const mailer = createMailer(settings);
  for (
    let batch = await claimNotifications(now());
    batch.length > 0;
    batch = now().getTime() < until ? await claimNotifications(now()) : []
  ) {
    const outcomes = await Promise.all(batch.map((claimed) => failures.keep(send(mailer, claimed, now))));
    notified.sent += outcomes.filter((outcome) => outcome === "sent").length;
  }
  failures.throw();
  return notified;
}

const queues = [
  queueEndpointNotices,
  queueRunNotices,
  queueStagedNotices,
  queueKeyNotices,
  queueConnectorFailureNotices,
  queuePolicyNotices,
  queuePolicyFailureNotices,
];

async function send(mailer: Transporter, claimed: Claimed, now: () => Date): Promise<Outcome> {
  const { org_id: orgId, dedupe_key: key, kind, attempts: attempt } = claimed;
  const outcome = await handOver(mailer, claimed.email, `${orgId} ${key}`, letterOf(claimed, env().PUBLIC_URL), {
    orgId: publicId("org", orgId),
    kind,
    attempt,
  });
  await recordOutcome(claimed, outcome, now());
  return outcome;
}
