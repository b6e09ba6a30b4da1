import { z } from "zod";
import type { TxCtx } from "@/server/core/context";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { append } from "@/server/events/append";
import { loadEndpoint } from "./load";
import { settlePending } from "./settle-pending";
import { endpointColumns, endpointFactsOf, endpointView, type EndpointRow } from "./view";

/** Stops deliveries and parks what is due; it can be recovered later. Emits webhook.endpoint.disabled to the others. */
export const disableWebhookEndpoint = command({
  name: "webhook_endpoints.disable",
  scope: "webhooks:write",
  input: z.strictObject({ id }),
  async run(ctx, input) {
    const before = await loadEndpoint(ctx, input.id, "FOR UPDATE");
    if (before.status === "disabled") return endpointView(before, ctx.now);
    return endpointView(await disable(ctx, before, "manual"), ctx.now);
  },
});

/** The row must be locked and not disabled. */
export async function disable(ctx: TxCtx, { id: endpointId, status }: Pick<EndpointRow, "id" | "status">, reason: NonNullable<EndpointRow["disabled_reason"]>): Promise<EndpointRow> {
  const [row] = await ctx.tx.sql<EndpointRow>(
    `UPDATE webhook_endpoints SET status = 'disabled', disabled_at = $3, disabled_reason = $4, updated_at = $3
     WHERE org_id = $1 AND id = $2 RETURNING ${endpointColumns}`,
    [ctx.orgId, endpointId, ctx.now, reason],
  );
  await settlePending(ctx.tx.sql, { orgId: ctx.orgId, endpointId }, "parked", ctx.now);
  await append(ctx, { type: "webhook.endpoint.disabled", resourceId: endpointId, object: endpointFactsOf(row!), previous: { status, disabledReason: null } });
  return row!;
}
