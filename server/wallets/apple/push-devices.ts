import { randomUUID } from "node:crypto";
import type { TxCtx } from "@/server/core/context";
import { queuePool, queueSql } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { log } from "@/server/core/log";
import { transaction, type Tx } from "@/server/core/transaction";
import { LeasedTable } from "@/server/reactions/leased-table";
import { failedAfterMs, retryAfterMs } from "../retries";
import { recordEnded } from "./device-channel";
import { PushConnection, type PushResult, type PushService } from "./push-service";
import { identityOf, type SettingsRow } from "./settings";

/** How many messages of one organisation are claimed at once. They share a connection. */
const batch = 200;

/** Longer than the timeouts of a connection and an answer (push-service.ts), so that two processes never send one message. */
const leaseMs = 2 * 60_000;

/** A call claims no further batch after this time; the next call continues. */
const withinMs = 10_000;

interface Claimed {
  org_id: Id<"org">;
  credential_id: Id<"crd">;
  device_id: string;
  push_token: string;
  attempts: number;
  wanted_at: Date;
  claim_id: Id<"req">;
}

/** The leases of messages that are due. */
const leases = new LeasedTable<Pick<Claimed, "org_id" | "credential_id" | "device_id" | "claim_id">>({
  table: "apple_devices",
  key: {
    org_id: { type: "uuid", of: (row) => row.org_id },
    credential_id: { type: "uuid", of: (row) => row.credential_id },
    device_id: { type: "text", of: (row) => row.device_id },
  },
  claimId: { type: "uuid", of: (row) => row.claim_id },
  status: "state",
  due: "next_attempt_at",
});

/**
 * Tells phones that their passes changed, over one connection per organisation. A message that Apple does not accept is
 * retried for 30 days; after that, the phone still checks for changes whenever its owner opens the pass. A phone that
 * removed the pass (410) is deleted, and credential.channel.removed emitted. Messages of an organisation without a
 * certificate wait until it has one.
 *
 * @returns how many messages Apple accepted
 */
export async function pushDevices(service: PushService, now: () => Date): Promise<{ sent: number }> {
  const until = now().getTime() + withinMs;
  let sent = 0;
  for (
    let claimed = await claim(now());
    claimed.length > 0;
    claimed = now().getTime() < until ? await claim(now()) : []
  )
    sent += await pushAll(service, claimed, now);
  return { sent };
}

function claim(now: Date): Promise<Claimed[]> {
  return queueSql<Claimed>(claimStatement, [now, batch, randomUUID(), new Date(now.getTime() + leaseMs)]);
}

/** Claims messages of one organisation: the one with the message that has been due longest. */
const claimStatement = `
WITH first AS MATERIALIZED (
  SELECT d.org_id FROM apple_devices d
  CROSS JOIN LATERAL (SELECT FROM organisations WHERE id = d.org_id AND suspended_at IS NULL OFFSET 0) o
  CROSS JOIN LATERAL (SELECT FROM apple_wallet_settings s WHERE s.org_id = d.org_id AND s.certificate_expires_at > $1 OFFSET 0) s
  WHERE ${leases.claimable("d", "$1", "$3")} ORDER BY d.next_attempt_at LIMIT 1
), due AS MATERIALIZED (
  SELECT d.ctid AS tid FROM first JOIN apple_devices d ON d.org_id = first.org_id
  WHERE ${leases.claimable("d", "$1", "$3")} ORDER BY d.next_attempt_at LIMIT $2 FOR UPDATE OF d SKIP LOCKED
)
${leases.claim("due", "$3", "$4", ", attempts = leased.attempts + 1")} RETURNING org_id, credential_id, device_id, push_token, attempts, wanted_at, claim_id`;

async function pushAll(service: PushService, claimed: Claimed[], now: () => Date): Promise<number> {
  const [{ org_id: orgId }] = claimed as [Claimed];
  const [settings] = await queueSql<SettingsRow>(
    `SELECT pass_type_id, team_id, certificate, private_key, wwdr FROM apple_wallet_settings WHERE org_id = $1`,
    [orgId],
  );
  // The settings were removed after the claim. The leases expire, and the messages wait for a new certificate.
  if (!settings) return 0;
  const connection = new PushConnection(service, identityOf(orgId, settings));
  const results = await Promise.all(
    claimed.map(async (each) => {
      const result = await connection.push(each.push_token);
      await transaction((tx) => record(tx, each, result, now()), queuePool());
      return result;
    }),
  );
  connection.close();
  await noteProblem(orgId, results);
  return results.filter((result) => result === "sent").length;
}

/** Records the result of a message, unless the pass changed again or another process claimed the message since. */
async function record(tx: Tx, device: Claimed, result: PushResult, now: Date): Promise<void> {
  const isRetry = typeof result === "object" && "retry" in result;
  const isOver = isRetry && now.getTime() - device.wanted_at.getTime() > failedAfterMs;
  const held = await tx.sql(release, [
    ...leases.columns([device]),
    isRetry && !isOver ? "pending" : "idle",
    isRetry ? new Date(now.getTime() + retryAfterMs(device.attempts)) : now,
    result === "sent" ? now : null,
  ]);
  if (held.length === 0 || result === "sent" || (isRetry && !isOver)) return;
  const ctx: TxCtx = {
    orgId: device.org_id,
    actor: { type: "job", id: "wallets" },
    scopes: new Set(),
    requestId: "wallets",
    now,
    tx,
  };
  const which = { credentialId: device.credential_id, deviceId: device.device_id };
  if (isRetry) return recordEnded(ctx, which, "failed", result.retry);
  tx.send(`DELETE FROM apple_devices WHERE org_id = $1 AND credential_id = $2 AND device_id = $3`, [
    device.org_id,
    device.credential_id,
    device.device_id,
  ]);
  return result === "gone" ? recordEnded(ctx, which, "removed") : recordEnded(ctx, which, "failed", result.refused);
}

const [state, dueAt, reachedAt] = [0, 1, 2].map((n) => `$${leases.next + n}`);
const release = leases.release(
  `state = ${state}, next_attempt_at = ${dueAt}, reached_at = coalesce(${reachedAt}::timestamptz, reached_at)`,
);

/** Stores for admins why Apple accepts no message; clears it once a message is accepted. */
async function noteProblem(orgId: Id<"org">, results: PushResult[]): Promise<void> {
  const retried = results.find((result) => typeof result === "object" && "retry" in result);
  const problem = results.includes("sent") || !retried ? null : (retried as { retry: string }).retry;
  if (problem) log().warn({ problem }, "Apple did not accept messages to phones; retrying");
  await queueSql(`UPDATE apple_wallet_settings SET problem = $2 WHERE org_id = $1 AND problem IS DISTINCT FROM $2`, [
    orgId,
    problem,
  ]);
}
