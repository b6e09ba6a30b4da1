import { z } from "zod";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { append } from "@/server/events/append";
import { loadEndpoint } from "./load";
import { cancelParkedDeliveries, parkPendingDeliveries } from "./park-pending";
import { endpointFactsOf, endpointTag, endpointView } from "./view";

/**
 * Deletes an endpoint, erases its secrets, and cancels its pending and parked deliveries. Deliveries stay in the log
 * until they expire. Emits webhook.endpoint.deleted.
 */
export const deleteWebhookEndpoint = command({
  name: "webhook_endpoints.delete",
  scope: "webhooks:write",
  input: z.strictObject({ id: id("whe"), ifMatch }),
  async run(ctx, input) {
    const row = await loadEndpoint(ctx, input.id, "FOR UPDATE");
    requireMatch(input.ifMatch, endpointTag(endpointView(row, ctx)));
    await ctx.tx.sql(
      `UPDATE webhook_endpoints SET deleted_at = $3, updated_at = $3, secret = '', previous_secret = NULL, headers = NULL WHERE org_id = $1 AND id = $2`,
      [ctx.orgId, row.id, ctx.now],
    );
    const endpoint = { orgId: ctx.orgId, endpointId: row.id };
    await parkPendingDeliveries(ctx.tx.sql, endpoint, ctx.now);
    await cancelParkedDeliveries(ctx.tx.sql, endpoint, ctx.now);
    await append(ctx, { type: "webhook.endpoint.deleted", resourceId: row.id, object: endpointFactsOf(row) });
  },
});
