import { channelColumns, channelFactsOf, type ChannelRow, type ChannelType } from "@/server/channels/view";
import type { TxCtx } from "@/server/core/context";
import { newId, type Id } from "@/server/core/ids";
import { append } from "@/server/events/append";

/**
 * Returns the channel of a pass that is on no phone yet; creates it if there is none. Emits
 * credential.channel.provisioned for a new channel.
 */
export async function provisionChannel(ctx: TxCtx, credentialId: Id<"crd">, type: ChannelType): Promise<ChannelRow> {
  const [made] = await ctx.tx.sql<ChannelRow>(
    `INSERT INTO credential_channels (org_id, id, credential_id, type, address, status, asked_at, provisioned_at, created_at, updated_at)
     VALUES ($1, $2, $3, $5, '', 'provisioned', $4, $4, $4, $4)
     ON CONFLICT (org_id, credential_id, type, lower(address)) DO NOTHING RETURNING ${channelColumns}`,
    [ctx.orgId, newId("chn"), credentialId, ctx.now, type],
  );
  if (made) {
    await emitChannelEvent(ctx, made);
    return made;
  }
  const [present] = await ctx.tx.sql<ChannelRow>(
    `SELECT ${channelColumns} FROM credential_channels WHERE org_id = $1 AND credential_id = $2 AND type = $3 AND address = ''`,
    [ctx.orgId, credentialId, type],
  );
  return present!;
}

/** Emits the event for the status of a channel, such as credential.channel.installed; none for `pending`. */
export async function emitChannelEvent(ctx: TxCtx, row: ChannelRow): Promise<void> {
  if (row.status === "pending") return;
  await append(ctx, { type: `credential.channel.${row.status}`, resourceId: row.id, object: channelFactsOf(row) });
}
