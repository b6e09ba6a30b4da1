import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import type { IssuerKeyKind } from "./key-kinds";
import { insertKeys } from "./signing-key";

/**
 * Retires the signing key of this kind, promotes the next key, and creates another next key. The caller must have
 * locked the organisation.
 */
export async function promoteNextKey(
  ctx: TxCtx,
  kind: IssuerKeyKind,
): Promise<{ retired: Id<"iky"> | undefined; promoted: Id<"iky"> | undefined }> {
  const [retired] = await ctx.tx.sql<{ id: Id<"iky"> }>(
    `UPDATE issuer_keys SET retired_at = $3, private_key = NULL WHERE org_id = $1 AND kind = $2 AND activated_at IS NOT NULL AND retired_at IS NULL RETURNING id`,
    [ctx.orgId, kind, ctx.now],
  );
  const [promoted] = await ctx.tx.sql<{ id: Id<"iky"> }>(
    `UPDATE issuer_keys SET activated_at = $3 WHERE org_id = $1 AND kind = $2 AND activated_at IS NULL AND retired_at IS NULL RETURNING id`,
    [ctx.orgId, kind, ctx.now],
  );
  await insertKeys(ctx.tx.sql, ctx, kind);
  return { retired: retired?.id, promoted: promoted?.id };
}
