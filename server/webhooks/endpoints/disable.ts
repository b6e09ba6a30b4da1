import { z } from "zod";
import type { TxCtx } from "@/server/core/context";
import { id } from "@/server/core/input";
import type { Tx } from "@/server/core/transaction";
import { newPublicId, type Id } from "@/server/core/ids";
import { command } from "@/server/core/operation";
import { append } from "@/server/events/append";
import { loadEndpoint } from "./load";
import { parkPendingDeliveries } from "./park-pending";
import { endpointColumns, endpointFactsOf, endpointTag, endpointView, type EndpointRow } from "./view";

/**
 * Stops deliveries; pending ones are parked until recovered. Emits webhook.endpoint.disabled to the other endpoints.
 */
export const disableWebhookEndpoint = command({
  name: "webhook_endpoints.disable",
  scope: "webhooks:write",
  input: z.strictObject({ id: id("whe") }),
  tag: endpointTag,
  async run(ctx, input) {
    const before = await loadEndpoint(ctx, input.id, "FOR UPDATE");
    if (before.status === "disabled") return endpointView(before, ctx);
    return endpointView(await disable(ctx, before, "manual"), ctx);
  },
});

type Disabling = Pick<EndpointRow, "id" | "status">;

/**
 * Disables an endpoint with a job as the actor. The caller must hold a lock on the row, and it must not be disabled
 * yet.
 */
export async function disableByJob(
  tx: Tx,
  { orgId, ...row }: Disabling & { orgId: Id<"org"> },
  reason: "failing" | "gone",
  now: Date,
): Promise<void> {
  await disable(
    { orgId, actor: { type: "job", id: "webhooks" }, scopes: new Set(), requestId: newPublicId("req"), now, tx },
    row,
    reason,
  );
}

/** Disables an endpoint. The caller must hold a lock on the row, and it must not be disabled yet. */
export async function disable(
  ctx: TxCtx,
  { id: endpointId, status }: Disabling,
  reason: NonNullable<EndpointRow["disabled_reason"]>,
): Promise<EndpointRow> {
  const [row] = await ctx.tx.sql<EndpointRow>(
    `UPDATE webhook_endpoints SET status = 'disabled', disabled_at = $3, disabled_reason = $4, updated_at = $3
     WHERE org_id = $1 AND id = $2 RETURNING ${endpointColumns}`,
    [ctx.orgId, endpointId, ctx.now, reason],
  );
  await parkPendingDeliveries(ctx.tx.sql, { orgId: ctx.orgId, endpointId }, ctx.now);
  await append(ctx, {
    type: "webhook.endpoint.disabled",
    resourceId: endpointId,
    object: endpointFactsOf(row!),
    previous: { status, disabledReason: null },
  });
  return row!;
}
