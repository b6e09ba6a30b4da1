import { createHash } from "node:crypto";
import { createTransport, type Transporter } from "nodemailer";
import { env } from "@/server/core/env";
import { log } from "@/server/core/log";
import { claimNotifications, settle, type Claimed } from "./claim";
import { queueEndpointNews } from "./endpoint-news";
import { letterOf } from "./letter";
import type { MailSettings } from "./settings";

/** A call hands over to the next after this time. */
const withinMs = 10_000;

export interface Notified {
  queued: number;
  sent: number;
}

/**
 * Queues what people are to be told, and sends what is due. Without settings nothing is queued, so that whoever configures them later is
 * not told of what is long past. An e-mail is sent once, but where a process ends, or a connection, after the server took it and before
 * that is written down: then once more, under the same Message-ID.
 */
export async function notify(settings: MailSettings | undefined, now: () => Date): Promise<Notified> {
  if (!settings) return { queued: 0, sent: 0 };
  const until = now().getTime() + withinMs;
  const notified = { queued: await queueEndpointNews(now()), sent: 0 };
  const transport = createTransport({ ...settings.smtp, disableFileAccess: true, disableUrlAccess: true }, { from: settings.from });
  for (let batch = await claimNotifications(now()); batch.length > 0; batch = now().getTime() < until ? await claimNotifications(now()) : []) {
    const outcomes = await Promise.all(batch.map((claimed) => send(transport, claimed, now)));
    notified.sent += outcomes.filter((outcome) => outcome === "sent").length;
  }
  return notified;
}

async function send(transport: Transporter, claimed: Claimed, now: () => Date) {
  const outcome = await handOver(transport, claimed);
  await settle(claimed, outcome, now());
  return outcome;
}

async function handOver(transport: Transporter, claimed: Claimed): Promise<"sent" | "refused" | "retry"> {
  const { PUBLIC_URL } = env();
  const name = createHash("sha256").update(`${claimed.org_id} ${claimed.dedupe_key}`).digest("hex").slice(0, 32);
  try {
    await transport.sendMail({
      to: { name: "", address: claimed.email },
      messageId: `<${name}@${new URL(PUBLIC_URL).hostname}>`,
      headers: { "Auto-Submitted": "auto-generated" },
      ...letterOf(claimed, PUBLIC_URL),
    });
    return "sent";
  } catch (error) {
    const { code, responseCode = 0 } = error as { code?: string; responseCode?: number };
    // The error's own words can hold the address.
    log().warn({ orgId: claimed.org_id, kind: claimed.kind, attempt: claimed.attempts, code, responseCode }, "a notification was not sent");
    return responseCode >= 500 && (code === "EENVELOPE" || code === "EMESSAGE") ? "refused" : "retry";
  }
}
