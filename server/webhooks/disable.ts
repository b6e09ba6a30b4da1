import { z } from "zod";
import type { TxCtx } from "@/server/core/context";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { append } from "@/server/events/append";
import { loadEndpoint } from "./load";
import { endpointColumns, endpointFactsOf, endpointView, type EndpointRow } from "./view";

/** Stops deliveries and parks what is due; it can be recovered later. Emits webhook.endpoint.disabled to the others. */
export const disableWebhookEndpoint = command({
  name: "webhook_endpoints.disable",
  scope: "webhooks:write",
  input: z.strictObject({ id }),
  async run(ctx, input) {
    const before = await loadEndpoint(ctx, input.id, "FOR UPDATE");
    if (before.status === "disabled") return endpointView(before, ctx.now);
    return endpointView(await disable(ctx, before.id, "manual"), ctx.now);
  },
});

/** The row must be locked and not disabled. */
export async function disable(ctx: TxCtx, endpointId: string, reason: NonNullable<EndpointRow["disabled_reason"]>): Promise<EndpointRow> {
  const [row] = await ctx.tx.sql<EndpointRow>(
    `UPDATE webhook_endpoints SET status = 'disabled', disabled_at = $3, disabled_reason = $4, updated_at = $3
     WHERE org_id = $1 AND id = $2 RETURNING ${endpointColumns}`,
    [ctx.orgId, endpointId, ctx.now, reason],
  );
  // What is in flight at this moment ends by itself; record.ts parks what would follow it.
  await ctx.tx.sql(
    `UPDATE webhook_deliveries SET status = 'parked', next_attempt_at = NULL, lease_until = NULL, claim_id = NULL
     WHERE org_id = $1 AND endpoint_id = $2 AND status = 'pending' AND (lease_until IS NULL OR lease_until <= $3)`,
    [ctx.orgId, endpointId, ctx.now],
    false,
  );
  await append(ctx, { type: "webhook.endpoint.disabled", resourceId: endpointId, object: endpointFactsOf(row!), previous: { status: "active" } });
  return row!;
}
