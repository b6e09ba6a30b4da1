import { z } from "zod";
import { reading } from "@/server/core/db";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { attemptColumns, attemptView, type AttemptRow } from "./attempt-view";
import { loadDelivery } from "./load-delivery";

/** Lists the attempts of a delivery, newest first. */
export const listWebhookAttempts = query({
  name: "webhook_deliveries.attempts",
  scope: "webhooks:read",
  input: z.strictObject({ id: id("dlv"), ...page }),
  async run(ctx, input) {
    const delivery = await loadDelivery(ctx, input.id);
    const { sql } = reading(ctx);
    const where = `org_id = $1 AND delivery_id = $2`;
    const values = [ctx.orgId, delivery.id];
    const found = await paginate(input, {
      binding: [ctx.orgId, "webhook_attempts", delivery.id],
      fetch: ({ after, take, skip }) =>
        sql<AttemptRow>(
          `SELECT ${attemptColumns} FROM webhook_attempts WHERE ${where} AND ($3::uuid IS NULL OR id < $3) ORDER BY id DESC LIMIT $4 OFFSET $5`,
          [...values, after, take, skip],
        ),
      count: async () =>
        (await sql<{ n: number }>(`SELECT count(*) AS n FROM webhook_attempts WHERE ${where}`, values))[0]!.n,
      keyOf: (row) => row.id,
    });
    return { ...found, data: found.data.map((row) => attemptView(row, ctx)) };
  },
});
