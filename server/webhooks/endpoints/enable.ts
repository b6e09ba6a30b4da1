import { z } from "zod";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { append } from "@/server/events/append";
import { loadEndpoint } from "./load";
import { endpointColumns, endpointFactsOf, endpointTag, endpointView, type EndpointRow } from "./view";

/**
 * Activates a paused or disabled endpoint. Deliveries that waited during the pause are sent now; parked deliveries stay
 * parked until they are recovered. Emits webhook.endpoint.updated; does nothing if the endpoint is active.
 */
export const enableWebhookEndpoint = command({
  name: "webhook_endpoints.enable",
  scope: "webhooks:write",
  input: z.strictObject({ id: id("whe") }),
  tag: endpointTag,
  async run(ctx, input) {
    const before = await loadEndpoint(ctx, input.id, "FOR UPDATE");
    if (before.status === "active") return endpointView(before, ctx);
    const [row] = await ctx.tx.sql<EndpointRow>(
      `UPDATE webhook_endpoints SET status = 'active', disabled_at = NULL, disabled_reason = NULL, failing_since = NULL, enabled_at = $3, updated_at = $3
       WHERE org_id = $1 AND id = $2 RETURNING ${endpointColumns}`,
      [ctx.orgId, before.id, ctx.now],
    );
    const previous = {
      status: before.status,
      ...(before.disabled_reason && { disabledReason: before.disabled_reason }),
    };
    await append(ctx, {
      type: "webhook.endpoint.updated",
      resourceId: before.id,
      object: endpointFactsOf(row!),
      previous,
    });
    ctx.tx.nudgeAfterCommit("deliveries");
    return endpointView(row!, ctx);
  },
});
