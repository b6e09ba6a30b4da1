import { z } from "zod";
import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { id, timestamp } from "@/server/core/input";
import { severalIds, severalOf } from "@/server/core/list-filters";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { typeFilter } from "@/server/events/patterns";
import { deliveryStatuses } from "./delivery-states";
import { deliveryView } from "./delivery-view";
import { countDeliveries, findDeliveries } from "./find-deliveries";
import { loadEndpoint } from "@/server/webhooks/endpoints/load";

const filters = {
  status: severalOf(deliveryStatuses).optional(),
  type: typeFilter.optional(),
  eventId: severalIds("evt").optional(),
  createdAfter: timestamp.optional().meta({ override: { type: "string", format: "date-time" } }),
  createdBefore: timestamp.optional().meta({ override: { type: "string", format: "date-time" } }),
};

const listInput = z.strictObject({ endpointId: severalIds("whe").optional(), ...filters, ...page });
type Input = z.output<typeof listInput>;

/** Lists deliveries to all endpoints, including deleted ones, newest first. */
export const listWebhookDeliveries = query({
  name: "webhook_deliveries.list",
  scope: "webhooks:read",
  input: listInput,
  run: (ctx, input) => list(ctx, input),
});

/** Lists deliveries to one endpoint, newest first. */
export const listEndpointDeliveries = query({
  name: "webhook_endpoints.deliveries",
  scope: "webhooks:read",
  input: z.strictObject({ id: id("whe"), ...filters, ...page }),
  async run(ctx, { id: endpointId, ...input }) {
    await loadEndpoint(ctx, endpointId);
    return list(ctx, { ...input, endpointId: [endpointId] });
  },
});

async function list(ctx: Ctx, input: Input) {
  const { sql } = reading(ctx);
  const { limit: _, cursor: __, offset: ___, ...filter } = input;
  const found = await paginate(input, {
    binding: [ctx.orgId, "webhook_deliveries", filter],
    fetch: (range) => findDeliveries(sql, ctx.orgId, filter, range),
    count: () => countDeliveries(sql, ctx.orgId, filter),
    keyOf: (row) => row.id,
  });
  return { ...found, data: found.data.map(deliveryView) };
}
