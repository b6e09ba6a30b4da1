import { channelColumns, type ChannelRow } from "@/server/channels/view";
import type { TxCtx } from "@/server/core/context";
import { newId, type Id } from "@/server/core/ids";
import { emitChannelEvent } from "../pass-channel";

/**
 * Records that the holder added the pass. Emits credential.channel.installed once until the pass is removed. Does nothing
 * for an erased holder.
 */
export async function recordAdded(ctx: TxCtx, credentialId: Id<"crd">): Promise<void> {
  const [row] = await ctx.tx.sql<ChannelRow>(
    `INSERT INTO credential_channels AS ch (org_id, id, credential_id, type, address, status, asked_at, provisioned_at, created_at, updated_at)
     SELECT c.org_id, $3, c.id, 'google_wallet', '', 'installed', $4, $4, $4, $4
     FROM credentials c JOIN subjects s ON s.org_id = c.org_id AND s.id = c.subject_id
     WHERE c.org_id = $1 AND c.id = $2 AND s.erased_at IS NULL
     ON CONFLICT (org_id, credential_id, type, lower(address)) DO UPDATE SET status = 'installed', error = NULL, updated_at = excluded.updated_at
       WHERE ch.status <> 'installed'
     RETURNING ${channelColumns}`,
    [ctx.orgId, credentialId, newId("chn"), ctx.now],
  );
  if (row) await emitChannelEvent(ctx, row);
}

/** Records that the holder removed the pass. Emits credential.channel.removed. */
export const recordRemoved = (ctx: TxCtx, credentialId: Id<"crd">): Promise<void> =>
  change(ctx, credentialId, { status: "removed", unless: "removed", error: null });

/** Records that Google accepts no updates of the pass. Emits credential.channel.failed unless it had failed before. */
export const recordFailed = (ctx: TxCtx, credentialId: Id<"crd">, error: string): Promise<void> =>
  change(ctx, credentialId, { status: "failed", unless: "failed", error });

/** Records that Google accepted an update again. Does nothing unless the channel had failed. */
export const recordReached = (ctx: TxCtx, credentialId: Id<"crd">): Promise<void> =>
  change(ctx, credentialId, { status: "provisioned", only: "failed", error: null });

async function change(
  ctx: TxCtx,
  credentialId: Id<"crd">,
  to: { status: ChannelRow["status"]; unless?: string; only?: string; error: string | null },
): Promise<void> {
  const [row] = await ctx.tx.sql<ChannelRow>(
    `UPDATE credential_channels SET status = $3, error = $4, updated_at = $5
     WHERE org_id = $1 AND credential_id = $2 AND type = 'google_wallet' AND status <> coalesce($6, '') AND status = coalesce($7, status)
     RETURNING ${channelColumns}`,
    [ctx.orgId, credentialId, to.status, to.error, ctx.now, to.unless ?? null, to.only ?? null],
  );
  if (row) await emitChannelEvent(ctx, row);
}
