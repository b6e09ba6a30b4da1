import { Secret, TOTP } from "otpauth";
import type { Query } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { decrypt } from "@/server/core/secrets";

const periodSeconds = 30;

/**
 * How many time steps before and after the current one are accepted. One allows for a clock that is off by half a
 * minute or slow typing.
 */
const window = 1;

/** The context to which the encrypted secret of a user's authenticator app is bound. */
export const boundTo = (userId: Id<"usr">) => `authenticator-app:${userId}`;

export const newSecret = () => new Secret({ size: 20 }).base32;

/** The settings that every authenticator app supports: SHA-1, six digits, half a minute. */
export function totp(secret: string, label = ""): TOTP {
  return new TOTP({
    issuer: "Bonafide",
    label,
    secret: Secret.fromBase32(secret),
    algorithm: "SHA1",
    digits: 6,
    period: periodSeconds,
  });
}

/**
 * Checks a code of a user's authenticator app and uses it up: the same code, and any code of an earlier step, is
 * refused from then on.
 * Call it in a transaction: it locks the app until the action that the code permits has committed.
 *
 * @param state `confirmed` for an app that is already a second factor, `new` for one that is being set up
 */
export async function spendCode(
  sql: Query,
  userId: Id<"usr">,
  code: string,
  now: Date,
  state: "confirmed" | "new" = "confirmed",
): Promise<boolean> {
  const [app] = await sql<{ secret: Uint8Array; last_step: number }>(
    `SELECT secret, last_step FROM authenticator_apps WHERE user_id = $1 AND (confirmed_at IS NOT NULL) = $2 FOR UPDATE`,
    [userId, state === "confirmed"],
  );
  if (!app) return false;
  const delta = totp(decrypt(app.secret, boundTo(userId))).validate({
    token: code.replace(/\s/g, ""),
    timestamp: now.getTime(),
    window,
  });
  if (delta === null) return false;
  const step = Math.floor(now.getTime() / 1000 / periodSeconds) + delta;
  if (step <= app.last_step) return false;
  await sql(`UPDATE authenticator_apps SET last_step = $2, last_used_at = $3 WHERE user_id = $1`, [userId, step, now]);
  return true;
}
