import { z } from "zod";
import { reading } from "@/server/core/db";
import { id } from "@/server/core/input";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";
import { bodyWithSequence } from "@/server/events/body";
import { deliverySchema, deliveryView } from "./delivery-view";
import { loadDelivery } from "./load-delivery";

export const deliveryWithBodySchema = deliverySchema
  .extend({
    body: z.string().nullable().meta({ description: "What is sent, byte for byte; null where the event has expired." }),
  })
  .meta({ id: "WebhookDeliveryWithBody" });

/** Returns one delivery with the body that each of its attempts carries. */
export const getWebhookDelivery = query({
  name: "webhook_deliveries.get",
  scope: "webhooks:read",
  input: z.strictObject({ id: id("dlv") }),
  async run(ctx, input) {
    const row = await loadDelivery(ctx, input.id);
    const [stored] = await reading(ctx).sql<{ body: string | null }>(
      `SELECT coalesce(d.body, ${bodyWithSequence("e.body", "d.sequence")}) AS body FROM webhook_deliveries d LEFT JOIN events e ON e.org_id = d.org_id AND e.id = d.event_id
       WHERE d.org_id = ${opaque("$1")} AND d.id = $2`,
      [ctx.orgId, row.id],
    );
    return { ...deliveryView(row), body: stored?.body ?? null };
  },
});
