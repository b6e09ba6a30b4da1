import { createHash } from "node:crypto";
import { channelColumns, type ChannelRow } from "@/server/channels/view";
import type { TxCtx } from "@/server/core/context";
import { newId, type Id } from "@/server/core/ids";
import { count } from "@/server/core/limiter";
import { emitChannelEvent } from "../pass-channel";

/** A short digest of Apple's device id, as the channel's address. The id itself would let a reader list the phone's passes. */
export const deviceDigest = (deviceId: string): string =>
  createHash("sha256").update(deviceId).digest("hex").slice(0, 8);

/**
 * Records that a phone has the pass. The first phone takes over the channel that was provisioned without an address.
 * Emits credential.channel.installed once until the pass is removed, and at most once a minute per credential.
 */
export async function recordInstalled(ctx: TxCtx, credentialId: Id<"crd">, deviceId: string): Promise<void> {
  const values = [ctx.orgId, credentialId, deviceDigest(deviceId), ctx.now];
  const [taken] = await ctx.tx.sql<ChannelRow>(
    `UPDATE credential_channels ch SET address = $3, status = 'installed', error = NULL, updated_at = $4
     WHERE org_id = $1 AND credential_id = $2 AND type = 'apple_wallet' AND address = ''
       AND NOT EXISTS (SELECT FROM credential_channels o WHERE o.org_id = $1 AND o.credential_id = $2 AND o.type = 'apple_wallet' AND o.address = $3)
     RETURNING ${channelColumns}`,
    values,
  );
  const [row] = taken
    ? [taken]
    : await ctx.tx.sql<ChannelRow>(
        `INSERT INTO credential_channels AS ch (org_id, id, credential_id, type, address, status, asked_at, provisioned_at, created_at, updated_at)
         VALUES ($1, $5, $2, 'apple_wallet', $3, 'installed', $4, $4, $4, $4)
         ON CONFLICT (org_id, credential_id, type, lower(address)) DO UPDATE SET status = 'installed', error = NULL, updated_at = excluded.updated_at
           WHERE ch.status <> 'installed'
         RETURNING ${channelColumns}`,
        [...values, newId("chn")],
      );
  if (row) await emitLimited(ctx, row);
}

/**
 * Records that a phone no longer has the pass, or cannot be reached, and emits the event (at most once a minute). Does
 * nothing if the channel has this status already, or was deleted when its holder was erased. Keeps the newest
 * `maxEndedChannels` channels that have ended and deletes older ones.
 */
export async function recordEnded(
  ctx: TxCtx,
  device: { credentialId: Id<"crd">; deviceId: string },
  status: "removed" | "failed",
  error: string | null = null,
): Promise<void> {
  const [row] = await ctx.tx.sql<ChannelRow>(
    `UPDATE credential_channels SET status = $4, error = $5, updated_at = $6
     WHERE org_id = $1 AND credential_id = $2 AND type = 'apple_wallet' AND address = $3 AND status <> $4 RETURNING ${channelColumns}`,
    [ctx.orgId, device.credentialId, deviceDigest(device.deviceId), status, error, ctx.now],
  );
  if (!row) return;
  await emitLimited(ctx, row);
  ctx.tx.send(pruneEnded, [ctx.orgId, device.credentialId, maxEndedChannels]);
}

/** How many phones that no longer have the pass are listed, besides those that have it. */
export const maxEndedChannels = 5;

/** Skips locked rows, because another transaction is deleting them. */
const pruneEnded = `
DELETE FROM credential_channels WHERE org_id = $1 AND credential_id = $2 AND id IN (
  SELECT id FROM credential_channels WHERE org_id = $1 AND credential_id = $2 AND type = 'apple_wallet' AND status IN ('removed', 'failed')
  ORDER BY updated_at DESC, id DESC OFFSET $3 FOR UPDATE SKIP LOCKED)`;

/**
 * Emits the event of a channel's status, at most once a minute per pass and status: anyone who has the pass can register
 * and unregister phones without limit. The channel row has the current status even if its event is dropped.
 */
async function emitLimited(ctx: TxCtx, row: ChannelRow): Promise<void> {
  const limit = { name: "wallet events", points: 1, seconds: 60 };
  if (!count(limit, `${row.credential_id} ${row.status}`).isOver) await emitChannelEvent(ctx, row);
}
