import { z } from "zod";
import { DomainError } from "@/server/core/errors";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { append } from "@/server/events/append";
import { loadEndpoint } from "./load";
import { endpointColumns, endpointFactsOf, endpointTag, endpointView, type EndpointRow } from "./view";

/** Holds deliveries back until the endpoint is enabled; none is lost. Emits webhook.endpoint.updated. */
export const pauseWebhookEndpoint = command({
  name: "webhook_endpoints.pause",
  scope: "webhooks:write",
  input: z.strictObject({ id: id("whe") }),
  tag: endpointTag,
  async run(ctx, input) {
    const before = await loadEndpoint(ctx, input.id, "FOR UPDATE");
    if (before.status === "paused") return endpointView(before, ctx);
    if (before.status === "disabled")
      throw new DomainError("endpoint_state", "The endpoint is disabled. Enable it first; then it can be paused.");
    const [row] = await ctx.tx.sql<EndpointRow>(
      `UPDATE webhook_endpoints SET status = 'paused', updated_at = $3 WHERE org_id = $1 AND id = $2 RETURNING ${endpointColumns}`,
      [ctx.orgId, before.id, ctx.now],
    );
    await append(ctx, {
      type: "webhook.endpoint.updated",
      resourceId: before.id,
      object: endpointFactsOf(row!),
      previous: { status: "active" },
    });
    return endpointView(row!, ctx);
  },
});
