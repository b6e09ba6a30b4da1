import { createHash } from "node:crypto";
import { channelColumns, type ChannelRow } from "@/server/channels/view";
import type { TxCtx } from "@/server/core/context";
import { newId, type Id } from "@/server/core/ids";
import { count } from "@/server/core/limiter";
import { tellChannel } from "../pass-channel";

/** What tells the phones of a credential apart without naming them: Apple's id of a phone lets one list its passes. */
export const signOf = (deviceId: string): string => createHash("sha256").update(deviceId).digest("hex").slice(0, 8);

/**
 * Notes that a phone has the pass. The first phone takes over the channel of the pass that was made. Emits
 * credential.channel.installed once until the pass is removed, and at most once a minute for all phones.
 */
export async function noteInstalled(ctx: TxCtx, credentialId: Id<"crd">, deviceId: string): Promise<void> {
  const values = [ctx.orgId, credentialId, signOf(deviceId), ctx.now];
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
  if (row) await tell(ctx, row);
}

/**
 * Notes that a phone no longer has the pass, or cannot be reached. Emits the event, at most once a minute; nothing where
 * the channel is in this state, or went with an erased holder. Older channels of phones that left are deleted.
 */
export async function noteEnded(
  ctx: TxCtx,
  device: { credentialId: Id<"crd">; deviceId: string },
  status: "removed" | "failed",
  error: string | null = null,
): Promise<void> {
  const [row] = await ctx.tx.sql<ChannelRow>(
    `UPDATE credential_channels SET status = $4, error = $5, updated_at = $6
     WHERE org_id = $1 AND credential_id = $2 AND type = 'apple_wallet' AND address = $3 AND status <> $4 RETURNING ${channelColumns}`,
    [ctx.orgId, device.credentialId, signOf(device.deviceId), status, error, ctx.now],
  );
  if (!row) return;
  await tell(ctx, row);
  ctx.tx.send(pruneEnded, [ctx.orgId, device.credentialId, keptEnded]);
}

/** How many phones that no longer have the pass are listed beside those that have it. */
export const keptEnded = 5;

/** Locked rows are skipped: another transaction removes them. */
const pruneEnded = `
DELETE FROM credential_channels WHERE org_id = $1 AND credential_id = $2 AND id IN (
  SELECT id FROM credential_channels WHERE org_id = $1 AND credential_id = $2 AND type = 'apple_wallet' AND status IN ('removed', 'failed')
  ORDER BY updated_at DESC, id DESC OFFSET $3 FOR UPDATE SKIP LOCKED)`;

/**
 * Emits the event, at most one of each kind a pass and minute: whoever has the pass can register and unregister phones
 * without end. Channels have the present state in any case.
 */
async function tell(ctx: TxCtx, row: ChannelRow): Promise<void> {
  const limit = { name: "wallet events", points: 1, seconds: 60 };
  if (!count(limit, `${row.credential_id} ${row.status}`).isOver) await tellChannel(ctx, row);
}
