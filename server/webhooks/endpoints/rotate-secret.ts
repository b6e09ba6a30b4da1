import { z } from "zod";
import { audit } from "@/server/access/audit";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { loadEndpoint } from "./load";
import { newSecret, sealSecret } from "./secret";
import { endpointColumns, endpointTag, endpointView, type EndpointRow } from "./view";

const overlaps = [0, 3600, 86_400, 604_800] as const;

/**
 * Gives an endpoint a new secret and returns it, only this once. During the overlap, deliveries are signed with both
 * secrets, the new one first. A secret that still overlaps from an earlier rotation ends at once. Writes an audit
 * entry; emits no event.
 */
export const rotateWebhookSecret = command({
  name: "webhook_endpoints.rotate_secret",
  scope: "webhooks:write",
  input: z.strictObject({
    id: id("whe"),
    expireOldAfter: z
      .union(overlaps.map((seconds) => z.literal(seconds)))
      .default(86_400)
      .meta({ description: "Seconds for which the old secret signs too." }),
  }),
  tag: endpointTag,
  async run(ctx, input) {
    const before = await loadEndpoint(ctx, input.id, "FOR UPDATE");
    const secret = newSecret();
    const expiresAt = input.expireOldAfter === 0 ? null : new Date(ctx.now.getTime() + input.expireOldAfter * 1000);
    const [row] = await ctx.tx.sql<EndpointRow>(
      `UPDATE webhook_endpoints SET previous_secret = CASE WHEN $4::timestamptz IS NULL THEN NULL ELSE secret END, previous_secret_expires_at = $4,
         secret = $3, updated_at = $5
       WHERE org_id = $1 AND id = $2 RETURNING ${endpointColumns}`,
      [ctx.orgId, before.id, sealSecret(before.id, secret), expiresAt, ctx.now],
    );
    await audit(
      ctx,
      "webhook_endpoint.secret_rotated",
      { type: "webhook_endpoint", id: publicId("whe", before.id) },
      { expireOldAfter: input.expireOldAfter },
    );
    return { ...endpointView(row!, ctx), secret };
  },
});
