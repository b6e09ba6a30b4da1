import type { TxCtx } from "@/server/core/context";
import { newId, type Id } from "@/server/core/ids";
import { channelColumns, channelFactsOf, type ChannelRow } from "@/server/channels/view";
import { append } from "@/server/events/append";
import { passColumns, type PassRow } from "./pass-row";
import { newPassToken, newSerial } from "./sealed";

/**
 * Returns the pass of a credential, and makes it where there is none. A pass of another pass type becomes a new pass,
 * since phones know passes by type and serial number. Emits credential.channel.provisioned for a new one. Any number of
 * concurrent calls make one pass.
 */
export async function ensurePass(ctx: TxCtx, credentialId: Id<"crd">, passTypeId: string): Promise<PassRow> {
  const find = () =>
    ctx.tx.sql<PassRow>(
      `SELECT ${passColumns} FROM apple_passes p WHERE p.org_id = $1 AND p.credential_id = $2 AND p.pass_type_id = $3`,
      [ctx.orgId, credentialId, passTypeId],
    );
  const [present] = await find();
  if (present) return present;
  const [made] = await ctx.tx.sql<PassRow>(
    `INSERT INTO apple_passes AS p (org_id, credential_id, serial, token, pass_type_id, revised_at, created_at)
     VALUES ($1, $2, $3, $4, $5, date_trunc('second', $6::timestamptz), $6)
     ON CONFLICT (org_id, credential_id) DO UPDATE SET serial = excluded.serial, token = excluded.token, pass_type_id = excluded.pass_type_id,
       revised_at = excluded.revised_at, created_at = excluded.created_at WHERE p.pass_type_id <> excluded.pass_type_id
     RETURNING ${passColumns}`,
    [ctx.orgId, credentialId, newSerial(), newPassToken(ctx.orgId, credentialId), passTypeId, ctx.now],
  );
  if (!made) return (await find())[0]!;
  ctx.tx.send(`DELETE FROM apple_devices WHERE org_id = $1 AND credential_id = $2 AND pass_type_id <> $3`, [
    ctx.orgId,
    credentialId,
    passTypeId,
  ]);
  await provisionChannel(ctx, credentialId);
  return made;
}

/** Returns the channel of the pass that is on no phone yet, and makes it where there is none. */
export async function provisionChannel(ctx: TxCtx, credentialId: Id<"crd">): Promise<ChannelRow> {
  const [made] = await ctx.tx.sql<ChannelRow>(
    `INSERT INTO credential_channels (org_id, id, credential_id, type, address, status, asked_at, provisioned_at, created_at, updated_at)
     VALUES ($1, $2, $3, 'apple_wallet', '', 'provisioned', $4, $4, $4, $4)
     ON CONFLICT (org_id, credential_id, type, lower(address)) DO NOTHING RETURNING ${channelColumns}`,
    [ctx.orgId, newId("chn"), credentialId, ctx.now],
  );
  if (made) {
    await append(ctx, {
      type: "credential.channel.provisioned",
      resourceId: made.id,
      object: channelFactsOf(made),
    });
    return made;
  }
  const [present] = await ctx.tx.sql<ChannelRow>(
    `SELECT ${channelColumns} FROM credential_channels WHERE org_id = $1 AND credential_id = $2 AND type = 'apple_wallet' AND address = ''`,
    [ctx.orgId, credentialId],
  );
  return present!;
}
