import type { TxCtx } from "@/server/core/context";
import { publicId, type Id } from "@/server/core/ids";
import { pauseWebhookEndpoint } from "./pause";
import { rotateWebhookSecret } from "./rotate-secret";
import { newSecret, sealSecret } from "./secret";

/**
 * Gives every endpoint of all organisations a new secret after the master secret that encrypted them was lost. Active
 * endpoints are paused, because the receiver does not know the new secret and would refuse what it signs. Writes audit
 * entries; emits webhook.endpoint.updated for each paused endpoint.
 */
export async function replaceLostSecrets(ctx: TxCtx): Promise<void> {
  const endpoints = await ctx.tx.sql<{ orgId: Id<"org">; id: Id<"whe">; status: string; isDeleted: boolean }>(
    `SELECT org_id AS "orgId", id, status, deleted_at IS NOT NULL AS "isDeleted" FROM webhook_endpoints ORDER BY org_id, id FOR UPDATE`,
  );
  for (const { orgId, id, status, isDeleted } of endpoints) {
    const within = { ...ctx, orgId };
    if (isDeleted)
      await ctx.tx.sql(`UPDATE webhook_endpoints SET secret = $3 WHERE org_id = $1 AND id = $2`, [
        orgId,
        id,
        sealSecret(id, newSecret()),
      ]);
    else await rotateWebhookSecret(within, { id: publicId("whe", id), expireOldAfter: 0 });
    if (status === "active" && !isDeleted) await pauseWebhookEndpoint(within, { id: publicId("whe", id) });
  }
}

/** Ends every rotation's overlap, because the previous secrets can no longer be decrypted. */
export async function endLostOverlaps({ tx }: TxCtx): Promise<void> {
  await tx.sql(
    `UPDATE webhook_endpoints SET previous_secret = NULL, previous_secret_expires_at = NULL WHERE previous_secret IS NOT NULL`,
  );
}

/** Removes the headers that customers add to deliveries, because they can no longer be decrypted. */
export async function removeLostHeaders({ tx }: TxCtx): Promise<void> {
  await tx.sql(`UPDATE webhook_endpoints SET headers = NULL, header_names = '{}' WHERE headers IS NOT NULL`);
}
