import { z } from "zod";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { append } from "@/server/events/append";
import { loadEndpoint } from "./load";
import { endpointFactsOf } from "./view";

/**
 * Deletes an endpoint: its secrets are erased and what was due to it is cancelled. Its deliveries stay in the log until they
 * expire. Emits webhook.endpoint.deleted.
 */
export const deleteWebhookEndpoint = command({
  name: "webhook_endpoints.delete",
  scope: "webhooks:write",
  input: z.strictObject({ id }),
  async run(ctx, input) {
    const row = await loadEndpoint(ctx, input.id, "FOR UPDATE");
    await ctx.tx.sql(
      `UPDATE webhook_endpoints SET deleted_at = $3, updated_at = $3, secret = '', previous_secret = NULL, headers = NULL WHERE org_id = $1 AND id = $2`,
      [ctx.orgId, row.id, ctx.now],
    );
    // What is in flight at this moment ends by itself; record.ts cancels what would follow it.
    await ctx.tx.sql(
      `UPDATE webhook_deliveries SET status = 'cancelled', completed_at = $3, next_attempt_at = NULL, lease_until = NULL, claim_id = NULL
       WHERE org_id = $1 AND endpoint_id = $2 AND status IN ('pending', 'parked') AND (lease_until IS NULL OR lease_until <= $3)`,
      [ctx.orgId, row.id, ctx.now],
      false,
    );
    await append(ctx, { type: "webhook.endpoint.deleted", resourceId: row.id, object: endpointFactsOf(row) });
  },
});
