import { readFileSync } from "node:fs";
import type SMTPTransport from "nodemailer/lib/smtp-transport";
import { env, type Env } from "@/server/core/env";

/** The SMTP server that e-mail is handed over to, and the sender. */
export interface MailSettings {
  from: string;
  smtp: SMTPTransport.Options;
}

/** Reads the settings from the environment; undefined if the operator configured no SMTP server. */
export function mailSettings(
  { SMTP_URL, MAIL_FROM, SMTP_CA }: Pick<Env, "SMTP_URL" | "MAIL_FROM" | "SMTP_CA"> = env(),
): MailSettings | undefined {
  if (!SMTP_URL || !MAIL_FROM) return undefined;
  const { protocol, username, password, hostname, port } = new URL(SMTP_URL);
  const host = hostname.replace(/^\[|\]$/g, "");
  const secure = protocol === "smtps:";
  const auth = username ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) } : undefined;
  // Require TLS before a password is sent, and where the operator names an authority, except to this machine.
  const requireTLS = (auth ?? SMTP_CA) !== undefined && !secure && !["localhost", "127.0.0.1", "::1"].includes(host);
  return {
    from: MAIL_FROM,
    smtp: {
      host,
      port: port ? Number(port) : secure ? 465 : 587,
      secure,
      requireTLS,
      ...(auth && { auth }),
      ...(SMTP_CA !== undefined && { tls: { ca: readFileSync(SMTP_CA, "utf8") } }),
      ...bounds,
    },
  };
}

/**
 * Timeouts in milliseconds; socketTimeout is the time without a byte. A message takes about seven answers, so sending
 * one takes less time than its lease (hand-over.ts).
 */
const bounds = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
