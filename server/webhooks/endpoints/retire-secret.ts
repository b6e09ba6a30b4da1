import { z } from "zod";
import { audit } from "@/server/access/audit";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { loadEndpoint } from "./load";
import { endpointColumns, endpointTag, endpointView, type EndpointRow } from "./view";

/**
 * Ends a rotation's overlap: the old secret signs nothing from now on. Writes an audit entry. Without an old secret it
 * changes nothing.
 */
export const retireWebhookSecret = command({
  name: "webhook_endpoints.retire_secret",
  scope: "webhooks:write",
  input: z.strictObject({ id: id("whe") }),
  tag: endpointTag,
  async run(ctx, input) {
    const before = await loadEndpoint(ctx, input.id, "FOR UPDATE");
    if (before.previous_secret_expires_at === null || before.previous_secret_expires_at <= ctx.now)
      return endpointView(before, ctx);
    const [row] = await ctx.tx.sql<EndpointRow>(
      `UPDATE webhook_endpoints SET previous_secret = NULL, previous_secret_expires_at = NULL, updated_at = $3
       WHERE org_id = $1 AND id = $2 RETURNING ${endpointColumns}`,
      [ctx.orgId, before.id, ctx.now],
    );
    await audit(ctx, "webhook_endpoint.old_secret_retired", {
      type: "webhook_endpoint",
      id: publicId("whe", before.id),
    });
    return endpointView(row!, ctx);
  },
});
