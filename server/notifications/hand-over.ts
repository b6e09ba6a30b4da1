import { createHash } from "node:crypto";
import { createTransport, type Transporter } from "nodemailer";
import { env } from "@/server/core/env";
import { log } from "@/server/core/log";
import type { Letter } from "./letter";
import type { MailSettings } from "./settings";

export type Outcome = "sent" | "refused" | "retry";

/** What follows each failed attempt, in milliseconds. After the last, a mail has failed: what it tells is a day old. */
const retryMs = [1, 5, 30, 2 * 60, 6 * 60, 12 * 60].map((minutes) => minutes * 60_000);

/** How long to wait after this many attempts; undefined after the last. */
export const waitAfter = (attempts: number): number | undefined => retryMs[attempts - 1];

/** The connection to the SMTP server. */
export function createMailer(settings: MailSettings): Transporter {
  return createTransport({ ...settings.smtp, disableFileAccess: true, disableUrlAccess: true }, { from: settings.from });
}

/**
 * Hands a mail over. Repeated under the same key, it has the same Message-ID.
 * @param facts for the log, where it fails
 */
export async function handOver(mailer: Transporter, to: string, key: string, letter: Letter, facts: Record<string, unknown>): Promise<Outcome> {
  const name = createHash("sha256").update(key).digest("hex").slice(0, 32);
  try {
    await mailer.sendMail({
      to: { name: "", address: to },
      messageId: `<${name}@${new URL(env().PUBLIC_URL).hostname}>`,
      headers: { "Auto-Submitted": "auto-generated" },
      ...letter,
    });
    return "sent";
  } catch (error) {
    const { code, responseCode = 0 } = error as { code?: string; responseCode?: number };
    // The error's own words can hold the address.
    log().warn({ ...facts, code, responseCode }, "an e-mail was not sent");
    return responseCode >= 500 && (code === "EENVELOPE" || code === "EMESSAGE") ? "refused" : "retry";
  }
}
