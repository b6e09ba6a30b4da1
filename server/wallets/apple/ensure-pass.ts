import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { provisionChannel } from "../pass-channel";
import { passColumns, type PassRow } from "./pass-row";
import { newPassToken, newSerial } from "./sealed";

/**
 * Returns the pass of a credential; creates it if there is none. A pass with another pass type is replaced by a new pass,
 * because phones identify a pass by pass type and serial number. Emits credential.channel.provisioned for a new pass.
 * Concurrent calls create one pass.
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
  await provisionChannel(ctx, credentialId, "apple_wallet");
  return made;
}
