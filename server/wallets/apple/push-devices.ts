import { randomUUID } from "node:crypto";
import type { TxCtx } from "@/server/core/context";
import { queuePool, queueSql } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { retryDeadlock } from "@/server/core/retry-deadlock";
import { log } from "@/server/core/log";
import { transaction, type Tx } from "@/server/core/transaction";
import { LeasedTable } from "@/server/reactions/leased-table";
import { failedAfterMs, retryAfterMs } from "../retries";
import { recordEnded } from "./device-channel";
import { PushConnection, type PushResult, type PushService } from "./push-service";
import { identityOf, type IdentityRow } from "./settings";

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
  const connections = new Connections(service);
  let sent = 0;
  try {
    for (
      let claimed = await claim(now());
      claimed.length > 0;
      claimed = now().getTime() < until ? await claim(now()) : []
    )
      sent += await pushAll(connections, claimed, now);
  } finally {
    connections.close();
  }
  return { sent };
}

/** The connections of one call: each organisation keeps its own until it breaks or the certificate changes. */
class Connections {
  readonly #open = new Map<Id<"org">, { certificate: string; connection: PushConnection }>();

  constructor(private readonly service: PushService) {}

  of(orgId: Id<"org">, settings: IdentityRow): PushConnection {
    const known = this.#open.get(orgId);
    if (known?.certificate === settings.certificate && known.connection.isUsable) return known.connection;
    known?.connection.close();
    const connection = new PushConnection(this.service, identityOf(orgId, settings));
    this.#open.set(orgId, { certificate: settings.certificate, connection });
    return connection;
  }

  close(): void {
    for (const { connection } of this.#open.values()) connection.close();
  }
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

async function pushAll(connections: Connections, claimed: Claimed[], now: () => Date): Promise<number> {
  const [{ org_id: orgId }] = claimed as [Claimed];
  const [settings] = await queueSql<IdentityRow>(
    `SELECT pass_type_id, team_id, certificate, private_key, wwdr FROM apple_wallet_settings WHERE org_id = $1`,
    [orgId],
  );
  // The settings were removed after the claim. The leases expire, and the messages wait for a new certificate.
  if (!settings) return 0;
  const connection = connections.of(orgId, settings);
  const results = await Promise.all(claimed.map(({ push_token }) => connection.push(push_token)));
  const sent = claimed.filter((_, n) => results[n] === "sent");
  // A change of these passes locks their phones too, in another order.
  if (sent.length > 0) await retryDeadlock(() => queueSql(release, [...leases.columns(sent), "idle", now(), now()]));
  for (const [n, result] of results.entries())
    if (result !== "sent") await transaction((tx) => recordUnsent(tx, claimed[n]!, result, now()), queuePool());
  await noteProblem(orgId, results);
  return sent.length;
}

/**
 * Records the result of a message that Apple did not accept, unless the pass changed again or another process claimed
 * the message since.
 */
async function recordUnsent(tx: Tx, device: Claimed, result: Exclude<PushResult, "sent">, now: Date): Promise<void> {
  const isRetry = typeof result === "object" && "retry" in result;
  const isOver = isRetry && now.getTime() - device.wanted_at.getTime() > failedAfterMs;
  const held = await tx.sql(release, [
    ...leases.columns([device]),
    isRetry && !isOver ? "pending" : "idle",
    isRetry ? new Date(now.getTime() + retryAfterMs(device.attempts)) : now,
    null,
  ]);
  if (held.length === 0 || (isRetry && !isOver)) return;
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
