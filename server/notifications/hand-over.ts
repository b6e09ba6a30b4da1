import { createHash } from "node:crypto";
import { Transform } from "node:stream";
import { createTransport, type SendMailOptions, type Transporter } from "nodemailer";
import { env } from "@/server/core/env";
import { log } from "@/server/core/log";
import type { Letter } from "./letter";
import type { MailSettings } from "./settings";

/**
 * The outcome of a message: accepted, refused permanently, or to be retried. bounced: the mail server refused the
 * recipient permanently. unwilling: it refused our sender, our sign-in or our quota, which the operator has to fix; the
 * message is retried. unknown: the whole message was sent and the connection ended without an answer.
 */
export type Outcome = "sent" | "bounced" | "refused" | "retry" | "unwilling" | "unknown";

/**
 * The wait after each failed attempt, in milliseconds. After the last attempt a mail fails, because its content is a
 * day old.
 */
const retryMs = [1, 5, 30, 2 * 60, 6 * 60, 12 * 60].map((minutes) => minutes * 60_000);

/** The lease of a claim. Longer than sending a message can take (settings.ts), so that no two processes send it. */
export const leaseMs = 5 * 60_000;

/** The state of a message after an attempt: sent, failed, or pending until its next attempt at `dueAt`. */
export function nextState(
  outcome: Outcome,
  attempts: number,
  now: Date,
): { state: "sent" | "failed" | "pending"; dueAt: Date } {
  const again = outcome === "retry" || outcome === "unwilling" || outcome === "unknown";
  const wait = again ? retryMs[attempts - 1] : undefined;
  if (wait === undefined) return { state: outcome === "sent" ? "sent" : "failed", dueAt: now };
  return { state: "pending", dueAt: new Date(now.getTime() + wait) };
}

/** Creates the client of the SMTP server. */
export function createMailer(settings: MailSettings): Transporter {
  const mailer = createTransport(
    { ...settings.smtp, disableFileAccess: true, disableUrlAccess: true },
    { from: settings.from },
  );
  mailer.use("stream", (mail, done) => {
    const { onWhole } = mail.data as Mail;
    if (onWhole) mail.message.transform(noteEnd(onWhole));
    done();
  });
  return mailer;
}

/** Passes a message on, and calls once its last byte has gone. */
const noteEnd = (onEnd: () => void) =>
  new Transform({
    transform: (chunk, _, done) => done(null, chunk),
    flush(done) {
      onEnd();
      done();
    },
  });

/** A letter, and what its sender adds to it. */
type Mail = Letter & Pick<SendMailOptions, "from" | "replyTo" | "attachments"> & { onWhole?: () => void };

/**
 * Hands a mail over to the SMTP server. A retry with the same key has the same Message-ID.
 * @param facts logged if it fails
 */
export async function handOver(
  mailer: Transporter,
  to: string,
  key: string,
  letter: Letter,
  facts: Record<string, unknown>,
): Promise<Outcome> {
  return (await handOverMail(mailer, to, key, letter, facts)).outcome;
}

/**
 * Does the same as handOver, and also returns the mail server's reply if it refused the mail. The reply can name the
 * address.
 */
export async function handOverMail(
  mailer: Transporter,
  to: string,
  key: string,
  mail: Mail,
  facts: Record<string, unknown>,
): Promise<{ outcome: Outcome; reply: string | null }> {
  const name = createHash("sha256").update(key).digest("hex").slice(0, 32);
  let isWhole = false;
  const options: SendMailOptions & Mail = {
    to: { name: "", address: to },
    messageId: `<${name}@${new URL(env().PUBLIC_URL).hostname}>`,
    headers: { "Auto-Submitted": "auto-generated" },
    onWhole: () => (isWhole = true),
    ...mail,
  };
  try {
    await mailer.sendMail(options);
    return { outcome: "sent", reply: null };
  } catch (error) {
    const { code, command, responseCode = 0, response = "" } = error as MailError;
    // The error's message is not logged, because it can contain the address.
    log().warn({ ...facts, code, command, responseCode }, "an e-mail was not sent");
    const reply = responseCode > 0 ? response : null;
    if (responseCode >= 500 && (code === "EAUTH" || command === "MAIL FROM")) {
      log().error({ code, command, responseCode }, "the mail server refuses the sender or the sign-in of this service");
      return { outcome: "unwilling", reply };
    }
    if (responseCode === 0 && isWhole) return { outcome: "unknown", reply };
    if (!isFinal(command, responseCode, response)) return { outcome: "retry", reply };
    return { outcome: command === "RCPT TO" ? "bounced" : "refused", reply };
  }
}

/** What nodemailer reports about a failure. */
interface MailError {
  code?: string;
  /** The command that was refused. */
  command?: string;
  responseCode?: number;
  response?: string;
}

/**
 * Whether a refusal concerns only this message: its recipient, or its content. A refusal after the content whose
 * enhanced status (RFC 3463) names another cause, such as a quota or a policy on the sender, is not permanent.
 */
function isFinal(command: string | undefined, responseCode: number, response: string): boolean {
  if (responseCode < 500) return false;
  const subject = /^\d{3}[ -]5\.(\d{1,3})\.\d{1,3}\b/.exec(response)?.[1];
  if (command === "RCPT TO") return subject === undefined || subject === "1" || subject === "2" || subject === "4";
  return command === "DATA" && (subject === undefined || subject === "1" || subject === "2" || subject === "6");
}
