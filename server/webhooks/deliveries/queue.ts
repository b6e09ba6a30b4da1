import { z } from "zod";
import { sql } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { query } from "@/server/core/operation";
import { isLeaseOver } from "@/server/reactions/lease-over";
import { iso } from "@/server/webhooks/endpoints/view";

export interface QueueFigures {
  /** Events that wait for their sequence number, and the time of the oldest. */
  unsequencedEvents: number;
  oldestUnsequencedAt: Date | null;
  /** Deliveries that are due now, including those in flight, and the time at which the oldest became due. */
  dueDeliveries: number;
  oldestDueAt: Date | null;
  inFlightDeliveries: number;
  /** Deliveries that wait for their next attempt. */
  retryingDeliveries: number;
  /** Deliveries that wait because their endpoint is paused. */
  pausedDeliveries: number;
  parkedDeliveries: number;
  /** Attempts of the last 24 hours. */
  succeededAttempts: number;
  failedAttempts: number;
}

/** Returns what waits and what failed, of one organisation or of all (null): for the console and /metrics. */
export async function queueFigures(now: Date, orgId: Id<"org"> | null = null): Promise<QueueFigures> {
  const [row] = await sql<QueueFigures>(figures, [now, orgId], false);
  return row!;
}

export const queueSchema = z
  .object({
    object: z.literal("webhook_queue"),
    unsequencedEvents: z
      .int()
      .meta({ description: "Events that wait for their place in the log. Deliveries are made with it." }),
    oldestUnsequencedAt: z.iso.datetime().nullable(),
    dueDeliveries: z.int().meta({ description: "Deliveries that could be sent now, or are in flight." }),
    oldestDueAt: z.iso.datetime().nullable().meta({ description: "Since when the oldest of them has been due." }),
    inFlightDeliveries: z.int(),
    retryingDeliveries: z.int().meta({ description: "Deliveries that wait for their next attempt." }),
    pausedDeliveries: z.int().meta({ description: "Deliveries that wait since their endpoint is paused." }),
    parkedDeliveries: z.int().meta({ description: "Deliveries of disabled endpoints; recover sends them." }),
    succeededAttempts: z.int().meta({ description: "Attempts of the last 24 hours that were accepted." }),
    failedAttempts: z.int().meta({ description: "Attempts of the last 24 hours that were not." }),
  })
  .meta({ id: "WebhookQueue" });

/** Returns what waits and what failed in this organisation. */
export const getWebhookQueue = query({
  name: "webhooks.queue",
  scope: "webhooks:read",
  input: z.strictObject({}),
  async run(ctx) {
    const figures = await queueFigures(ctx.now, ctx.orgId);
    return {
      object: "webhook_queue" as const,
      ...figures,
      oldestUnsequencedAt: iso(figures.oldestUnsequencedAt),
      oldestDueAt: iso(figures.oldestDueAt),
    };
  },
});

const figures = `
WITH events AS (
  SELECT count(*) AS n, min(created_at) AS oldest FROM event_outbox WHERE ($2::uuid IS NULL OR org_id = $2)
), pending AS (
  SELECT count(*) FILTER (WHERE e.status = 'active' AND d.next_attempt_at <= $1) AS due,
    min(d.next_attempt_at) FILTER (WHERE e.status = 'active' AND d.next_attempt_at <= $1) AS oldest,
    count(*) FILTER (WHERE NOT ${isLeaseOver("$1", "d")}) AS in_flight,
    count(*) FILTER (WHERE e.status = 'active' AND d.next_attempt_at > $1) AS retrying,
    count(*) FILTER (WHERE e.status = 'paused') AS paused
  FROM webhook_deliveries d JOIN webhook_endpoints e ON e.org_id = d.org_id AND e.id = d.endpoint_id
  WHERE d.status = 'pending' AND ($2::uuid IS NULL OR d.org_id = $2)
), parked AS (
  SELECT count(*) AS n FROM webhook_deliveries WHERE status = 'parked' AND ($2::uuid IS NULL OR org_id = $2)
), attempts AS (
  SELECT coalesce(sum(attempts) FILTER (WHERE ok), 0)::bigint AS succeeded, coalesce(sum(attempts) FILTER (WHERE NOT ok), 0)::bigint AS failed
  FROM webhook_statistics WHERE hour > $1::timestamptz - interval '24 hours' AND ($2::uuid IS NULL OR org_id = $2)
)
SELECT events.n AS "unsequencedEvents", events.oldest AS "oldestUnsequencedAt",
  pending.due AS "dueDeliveries", pending.oldest AS "oldestDueAt", pending.in_flight AS "inFlightDeliveries",
  pending.retrying AS "retryingDeliveries", pending.paused AS "pausedDeliveries", parked.n AS "parkedDeliveries",
  attempts.succeeded AS "succeededAttempts", attempts.failed AS "failedAttempts"
FROM events, pending, parked, attempts`;
