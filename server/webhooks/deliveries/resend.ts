import { z } from "zod";
import { audit } from "@/server/access/audit";
import type { TxCtx } from "@/server/core/context";
import { DomainError, notFound } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { isLeaseOver } from "@/server/reactions/lease-over";
import { released } from "@/server/reactions/leased-table";
import { deliveryColumns, deliveryView, type DeliveryRow } from "./delivery-view";
import { loadDelivery } from "./load-delivery";
import { steps } from "./schedule";

/**
 * Sends a delivery again at once, whether or not it had succeeded, with a new schedule of retries; a test is still not
 * retried. Writes an audit entry.
 *
 * @throws DomainError `endpoint_state`, `delivery_state`, `not_found`; `event_expired` if the event has expired.
 */
export const resendWebhookDelivery = command({
  name: "webhook_deliveries.resend",
  scope: "webhooks:write",
  input: z.strictObject({ id: id("dlv") }),
  async run(ctx, input) {
    const before = await loadDelivery(ctx, input.id);
    const [row] = await beginAnew(ctx, [before.id]);
    if (!row) throw (await whyNot(ctx, [before.id]))[0]!.error;
    await audit(
      ctx,
      "webhook_delivery.resent",
      { type: "webhook_delivery", id: publicId("dlv", row.id) },
      { endpointId: publicId("whe", row.endpoint_id), eventId: publicId("evt", row.event_id) },
    );
    return deliveryView(row);
  },
});

/**
 * Sends up to 1,000 deliveries again, as resendWebhookDelivery does. Those that cannot be sent are skipped and returned
 * with the reason. Writes an audit entry.
 */
export const resendWebhookDeliveries = command({
  name: "webhook_deliveries.resend_many",
  scope: "webhooks:write",
  input: z.strictObject({ ids: z.array(id("dlv")).min(1).max(1000) }),
  async run(ctx, input) {
    const ids = [...new Map(input.ids.map((each) => [publicId("dlv", each), each]))]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, each]) => each);
    const rows = await beginAnew(ctx, ids);
    if (rows.length > 0)
      await audit(
        ctx,
        "webhook_deliveries.resent",
        { type: "webhook_delivery", id: publicId("dlv", rows[0]!.id) },
        { count: rows.length },
      );
    const queued = new Set(rows.map((row) => row.id));
    const skipped = await whyNot(
      ctx,
      ids.filter((each) => !queued.has(each)),
    );
    return {
      object: "webhook_resend" as const,
      requested: ids.length,
      queued: rows.length,
      skipped: skipped.map(({ id, error }) => ({ id: publicId("dlv", id), code: error.code, detail: error.message })),
    };
  },
});

export const resendSchema = z
  .object({
    object: z.literal("webhook_resend"),
    requested: z.int(),
    queued: z.int().meta({ description: "Those that are sent again." }),
    skipped: z
      .array(z.object({ id: z.string(), code: z.string(), detail: z.string() }))
      .meta({ description: "Those that are not, each with the reason." }),
  })
  .meta({ id: "WebhookResend" });

// Deliveries in flight hold a lease and are skipped. Rows are locked in the order of their ids, as in recover, so that
// two calls with the same ids wait for each other and do not deadlock.
async function beginAnew(ctx: TxCtx, ids: Id<"dlv">[]): Promise<DeliveryRow[]> {
  const rows = await ctx.tx.sql<DeliveryRow>(
    `WITH chosen AS (
       SELECT d.* FROM unnest($2::uuid[]) AS given (id)
       CROSS JOIN LATERAL (
         SELECT d.org_id, d.id FROM webhook_deliveries d
         WHERE d.org_id = $1 AND d.id = given.id AND ${isLeaseOver("$3", "d")} AND d.status <> 'cancelled'
           AND EXISTS (SELECT FROM webhook_endpoints e WHERE e.org_id = d.org_id AND e.id = d.endpoint_id AND e.deleted_at IS NULL AND e.status = 'active' OFFSET 0)
           AND (d.body IS NOT NULL OR EXISTS (SELECT FROM events ev WHERE ev.org_id = d.org_id AND ev.id = d.event_id OFFSET 0))
         FOR UPDATE
       ) AS d
     )
     UPDATE webhook_deliveries d SET status = 'pending', trigger = CASE trigger WHEN 'test' THEN trigger ELSE 'resend' END,
       retry_step = CASE trigger WHEN 'test' THEN ${steps.length} ELSE 0 END, next_attempt_at = $3, completed_at = NULL, ${released}
     FROM chosen WHERE d.org_id = chosen.org_id AND d.id = chosen.id
     RETURNING ${deliveryColumns.replaceAll(/\w+/g, "d.$&")}`,
    [ctx.orgId, ids, ctx.now],
    false,
  );
  if (rows.length > 0) ctx.tx.nudgeAfterCommit("deliveries");
  return rows;
}

/** Returns why each delivery cannot be sent again, in the given order. */
async function whyNot(ctx: TxCtx, ids: Id<"dlv">[]): Promise<{ id: Id<"dlv">; error: DomainError }[]> {
  if (ids.length === 0) return [];
  const found = await ctx.tx.sql<Standing>(
    `SELECT d.status, d.event_id, d.endpoint, d.has_body FROM unnest($2::uuid[]) WITH ORDINALITY AS given (id, n)
     LEFT JOIN LATERAL (
       SELECT d.status, d.event_id,
         (SELECT e.status FROM webhook_endpoints e WHERE e.org_id = d.org_id AND e.id = d.endpoint_id AND e.deleted_at IS NULL) AS endpoint,
         d.body IS NOT NULL OR EXISTS (SELECT FROM events ev WHERE ev.org_id = d.org_id AND ev.id = d.event_id OFFSET 0) AS has_body
       FROM webhook_deliveries d WHERE d.org_id = $1 AND d.id = given.id OFFSET 0
     ) AS d ON true ORDER BY given.n`,
    [ctx.orgId, ids],
  );
  return found.map((row, n) => ({ id: ids[n]!, error: reason(ids[n]!, row) }));
}

/** The state of a delivery and its endpoint; all null if the delivery does not exist. */
interface Standing {
  status: string | null;
  event_id: Id<"evt">;
  endpoint: string | null;
  has_body: boolean;
}

function reason(id: Id<"dlv">, { status, event_id, endpoint, has_body }: Standing): DomainError {
  if (status === null) return notFound("webhook delivery", publicId("dlv", id));
  if (!has_body)
    return new DomainError(
      "event_expired",
      `The event ${publicId("evt", event_id)} has expired: its content is no longer kept and cannot be sent.`,
    );
  if (!endpoint)
    return new DomainError("endpoint_state", "The endpoint was deleted. Register it anew and replay what it missed.");
  if (endpoint !== "active") return new DomainError("endpoint_state", `The endpoint is ${endpoint}. Enable it first.`);
  if (status === "cancelled") return new DomainError("delivery_state", "The delivery was cancelled.");
  return new DomainError("delivery_state", "The delivery is being sent at this moment.");
}
