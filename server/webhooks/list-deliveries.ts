import { z } from "zod";
import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { id, timestamp } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { typeFilter } from "@/server/events/patterns";
import { deliveryColumns, deliveryStatuses, deliveryView, type DeliveryRow } from "./delivery-view";
import { loadEndpoint } from "./load";

const filters = {
  status: z.enum(deliveryStatuses).optional(),
  type: typeFilter.optional(),
  eventId: id.optional(),
  createdAfter: timestamp.optional().meta({ override: { type: "string", format: "date-time" } }),
  createdBefore: timestamp.optional().meta({ override: { type: "string", format: "date-time" } }),
};

const listInput = z.strictObject({ endpointId: id.optional(), ...filters, ...page });
type Input = z.output<typeof listInput>;

/** Lists deliveries to all endpoints, newest first. Those of an endpoint that was deleted are among them. */
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
  input: z.strictObject({ id, ...filters, ...page }),
  async run(ctx, { id: endpointId, ...input }) {
    await loadEndpoint(ctx, endpointId);
    return list(ctx, { ...input, endpointId });
  },
});

// Planned each time: which index fits depends on the filters and on how many there are of what they ask for.
async function list(ctx: Ctx, input: Input) {
  const { sql } = reading(ctx);
  const { limit: _, cursor: __, offset: ___, ...filter } = input;
  const found = await paginate(input, {
    binding: [ctx.orgId, "webhook_deliveries", filter],
    fetch: ({ after, take, skip }) => {
      const { where, values } = conditions(ctx, input);
      if (after !== null) where.push(`id < $${values.push(after)}`);
      const range = `LIMIT $${values.push(take)} OFFSET $${values.push(skip)}`;
      return sql<DeliveryRow>(`SELECT ${deliveryColumns} FROM webhook_deliveries WHERE ${where.join(" AND ")} ORDER BY id DESC ${range}`, values, false);
    },
    count: async () => {
      const { where, values } = conditions(ctx, input);
      return (await sql<{ n: number }>(`SELECT count(*) AS n FROM webhook_deliveries WHERE ${where.join(" AND ")}`, values, false))[0]!.n;
    },
    keyOf: (row) => row.id,
  });
  return { ...found, data: found.data.map(deliveryView) };
}

function conditions(ctx: Ctx, input: Input): { where: string[]; values: unknown[] } {
  const values: unknown[] = [ctx.orgId];
  const where = ["org_id = $1"];
  const add = (condition: string, value: unknown) => {
    if (value !== undefined) where.push(condition.replace("?", `$${values.push(value)}`));
  };
  add("endpoint_id = ?", input.endpointId);
  // Written out where there is an index for just these.
  if (input.status === "failed" || input.status === "parked") where.push(`status = '${input.status}'`);
  else add("status = ?", input.status);
  add("event_type = ANY(?)", input.type);
  add("event_id = ?", input.eventId);
  add("created_at > ?", input.createdAfter);
  add("created_at < ?", input.createdBefore);
  return { where, values };
}
