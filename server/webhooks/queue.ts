import { z } from "zod";
import { sql } from "@/server/core/db";
import { query } from "@/server/core/operation";

export interface QueueFigures {
  /** Events that wait for their number, and the time of the oldest. */
  unsequencedEvents: number;
  oldestUnsequencedAt: Date | null;
  /** Deliveries that could be sent now, or are in flight, and since when the oldest of them is due. */
  dueDeliveries: number;
  oldestDueAt: Date | null;
  inFlightDeliveries: number;
  /** Deliveries that wait for their next attempt. */
  retryingDeliveries: number;
  /** Deliveries that wait since their endpoint is paused. */
  pausedDeliveries: number;
  parkedDeliveries: number;
  /** Attempts of the last 24 hours. */
  succeededAttempts: number;
  failedAttempts: number;
}

/** What waits and what failed, of all organisations or of one: for /metrics and the console. */
export async function queueFigures(now: Date, orgId: string | null = null): Promise<QueueFigures> {
  const [row] = await sql<QueueFigures>(figures, [now, orgId], false);
  return row!;
}

/** What waits and what failed in this organisation. */
export const getWebhookQueue = query({
  name: "webhooks.queue",
  scope: "webhooks:read",
  input: z.strictObject({}),
  run: (ctx) => queueFigures(ctx.now, ctx.orgId),
});

const figures = `
WITH events AS (
  SELECT count(*) AS n, min(created_at) AS oldest FROM events WHERE sequence IS NULL AND ($2::text IS NULL OR org_id = $2)
), pending AS (
  SELECT count(*) FILTER (WHERE e.status = 'active' AND d.next_attempt_at <= $1) AS due,
    min(d.next_attempt_at) FILTER (WHERE e.status = 'active' AND d.next_attempt_at <= $1) AS oldest,
    count(*) FILTER (WHERE d.lease_until > $1) AS in_flight,
    count(*) FILTER (WHERE e.status = 'active' AND d.next_attempt_at > $1) AS retrying,
    count(*) FILTER (WHERE e.status = 'paused') AS paused
  FROM webhook_deliveries d JOIN webhook_endpoints e ON e.org_id = d.org_id AND e.id = d.endpoint_id
  WHERE d.status = 'pending' AND ($2::text IS NULL OR d.org_id = $2)
), parked AS (
  SELECT count(*) AS n FROM webhook_deliveries WHERE status = 'parked' AND ($2::text IS NULL OR org_id = $2)
), attempts AS (
  SELECT coalesce(sum(attempts) FILTER (WHERE ok), 0)::bigint AS succeeded, coalesce(sum(attempts) FILTER (WHERE NOT ok), 0)::bigint AS failed
  FROM webhook_statistics WHERE hour > $1::timestamptz - interval '24 hours' AND ($2::text IS NULL OR org_id = $2)
)
SELECT events.n AS "unsequencedEvents", events.oldest AS "oldestUnsequencedAt",
  pending.due AS "dueDeliveries", pending.oldest AS "oldestDueAt", pending.in_flight AS "inFlightDeliveries",
  pending.retrying AS "retryingDeliveries", pending.paused AS "pausedDeliveries", parked.n AS "parkedDeliveries",
  attempts.succeeded AS "succeededAttempts", attempts.failed AS "failedAttempts"
FROM events, pending, parked, attempts`;
