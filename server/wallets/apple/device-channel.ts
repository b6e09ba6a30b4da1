import { createHash } from "node:crypto";
import { channelColumns, type ChannelRow } from "@/server/channels/view";
import type { TxCtx } from "@/server/core/context";
import { newId, type Id } from "@/server/core/ids";
import { tellChannel } from "../pass-channel";

/** What tells the phones of a credential apart without naming them: Apple's id of a phone lets one list its passes. */
export const signOf = (deviceId: string): string => createHash("sha256").update(deviceId).digest("hex").slice(0, 8);

/**
 * Notes that a phone has the pass. The first phone takes over the channel of the pass that was made. Emits
 * credential.channel.installed, once until the pass is removed.
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
  if (row) await tellChannel(ctx, row);
}

/**
 * Notes that a phone no longer has the pass, or cannot be reached. Emits the event; nothing where the channel is in this
 * state, or went with an erased holder.
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
  if (row) await tellChannel(ctx, row);
}
