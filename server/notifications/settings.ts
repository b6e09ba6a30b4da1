import type SMTPTransport from "nodemailer/lib/smtp-transport";
import { env, type Env } from "@/server/core/env";

/** Where e-mail is handed over, and who it is from. */
export interface MailSettings {
  from: string;
  smtp: SMTPTransport.Options;
}

/** Undefined where the operator configured no SMTP server. */
export function mailSettings(
  { SMTP_URL, MAIL_FROM }: Pick<Env, "SMTP_URL" | "MAIL_FROM"> = env(),
): MailSettings | undefined {
  if (!SMTP_URL || !MAIL_FROM) return undefined;
  const { protocol, username, password, hostname, port } = new URL(SMTP_URL);
  const host = hostname.replace(/^\[|\]$/g, "");
  const secure = protocol === "smtps:";
  const auth = username ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) } : undefined;
  // A password is not sent in the clear, but on this machine.
  const requireTLS = auth !== undefined && !secure && !["localhost", "127.0.0.1", "::1"].includes(host);
  return {
    from: MAIL_FROM,
    smtp: {
      host,
      port: port ? Number(port) : secure ? 465 : 587,
      secure,
      requireTLS,
      ...(auth && { auth }),
      ...bounds,
    },
  };
}

/**
 * Milliseconds without a byte; a message takes some seven answers, so that none takes longer than a claim lasts
 * (claim.ts).
 */
const bounds = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
