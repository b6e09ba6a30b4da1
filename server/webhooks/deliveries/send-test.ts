import { z } from "zod";
import { audit } from "@/server/access/audit";
import { newId, publicId, readId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { eventTypes, type EventType } from "@/server/events/catalogue";
import { sampleEvent } from "@/server/events/samples";
import { deliveryColumns, deliveryView, type DeliveryRow } from "./delivery-view";
import { loadActiveEndpoint } from "@/server/webhooks/endpoints/load";
import { steps } from "./schedule";

/**
 * Sends a realistic sample of an event type, whether or not the endpoint subscribes to it. The sample is not in the
 * log, has `test: true` and sequence 0, and is not retried. Writes an audit entry.
 */
export const sendWebhookTest = command({
  name: "webhook_endpoints.test",
  scope: "webhooks:write",
  input: z.strictObject({
    id: id("whe"),
    type: z.enum(eventTypes as [EventType, ...EventType[]]).default("credential.issued"),
  }),
  async run(ctx, input) {
    const endpoint = await loadActiveEndpoint(ctx, input.id);
    const sample = sampleEvent(input.type, ctx.orgId, ctx.now);
    const [row] = await ctx.tx.sql<DeliveryRow>(
      `INSERT INTO webhook_deliveries (org_id, id, endpoint_id, event_id, event_type, sequence, trigger, next_attempt_at, created_at, body, retry_step)
       VALUES ($1, $2, $3, $4, $5, 0, 'test', $6, $6, $7, $8) RETURNING ${deliveryColumns}`,
      [
        ctx.orgId,
        newId("dlv"),
        endpoint.id,
        readId("evt", sample.id),
        sample.type,
        ctx.now,
        JSON.stringify(sample),
        steps.length,
      ],
    );
    await audit(
      ctx,
      "webhook_endpoint.tested",
      { type: "webhook_endpoint", id: publicId("whe", endpoint.id) },
      { type: input.type, deliveryId: publicId("dlv", row!.id) },
    );
    ctx.tx.nudgeAfterCommit("deliveries");
    return deliveryView(row!);
  },
});
