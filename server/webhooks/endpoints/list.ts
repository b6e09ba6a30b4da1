import { z } from "zod";
import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { severalOf } from "@/server/core/list-filters";
import { query } from "@/server/core/operation";
import { page, paginate, type Page } from "@/server/core/pagination";
import { endpointColumns, endpointView, type EndpointRow, type EndpointView } from "./view";

export const endpointListInput = z.strictObject({
  status: severalOf(["active", "paused", "disabled"]).optional(),
  ...page,
});

/** Lists the webhook endpoints, newest first. */
export const listWebhookEndpoints = query({
  name: "webhook_endpoints.list",
  scope: "webhooks:read",
  input: endpointListInput,
  run: findEndpoints,
});

/** Lists endpoints, for operations that page through endpoints in the same order. */
export async function findEndpoints(ctx: Ctx, input: z.output<typeof endpointListInput>): Promise<Page<EndpointView>> {
  const { sql } = reading(ctx);
  const where = `org_id = $1 AND deleted_at IS NULL AND ($2::text[] IS NULL OR status = ANY($2))`;
  const values = [ctx.orgId, input.status ?? null];
  const found = await paginate(input, {
    binding: [ctx.orgId, "webhook_endpoints", input.status],
    fetch: ({ after, take, skip }) =>
      sql<EndpointRow>(
        `SELECT ${endpointColumns} FROM webhook_endpoints WHERE ${where} AND ($3::uuid IS NULL OR id < $3) ORDER BY id DESC LIMIT $4 OFFSET $5`,
        [...values, after, take, skip],
      ),
    count: async () =>
      (await sql<{ n: number }>(`SELECT count(*) AS n FROM webhook_endpoints WHERE ${where}`, values))[0]!.n,
    keyOf: (row) => row.id,
  });
  return { ...found, data: found.data.map((row) => endpointView(row, ctx)) };
}
