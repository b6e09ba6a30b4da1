import { queueSql } from "@/server/core/db";
import { firstId, type Id } from "@/server/core/ids";
import { bodyWithSequence } from "@/server/events/body";
import { Destination, type DestinationRow } from "./destination";
import { deliveryLeases, leaseMs } from "./delivery-leases";

/** A delivery that this process has leased and may send until the lease ends. */
export interface Claimed {
  orgId: Id<"org">;
  id: Id<"dlv">;
  endpointId: Id<"whe">;
  /** The fence: a result recorded under another claim id changes nothing. */
  claimId: Id<"req">;
  eventId: Id<"evt">;
  eventType: string;
  trigger: string;
  /** When it became due. */
  dueAt: Date;
  attemptCount: number;
  retryStep: number;
  /** Null if the event has expired. */
  body: string | null;
  destination: Destination;
}

export interface Wanted {
  orgId: Id<"org">;
  endpointId: Id<"whe">;
  /** The most deliveries to claim. */
  slots: number;
  /** The last delivery of the previous claim, to claim only what is due after it; null to start at the oldest. */
  after: { dueAt: Date; id: Id<"dlv"> } | null;
}

/**
 * Leases due deliveries in one statement: for each endpoint at most `slots`, those due longest first, so that one
 * endpoint's backlog takes nothing from another. No lock outlives the statement.
 * @param claimId new for each claim. To retry a claim whose connection broke, repeat its id: the result includes what
 * the lost statement may have leased.
 */
export async function claimDeliveries(wanted: Wanted[], now: Date, claimId: Id<"req">): Promise<Claimed[]> {
  const rows = await queueSql<Omit<Claimed, "destination"> & DestinationRow>(claim, [
    wanted.map((w) => w.orgId),
    wanted.map((w) => w.endpointId),
    wanted.map((w) => w.slots),
    now,
    claimId,
    new Date(now.getTime() + leaseMs),
    wanted.map((w) => w.after?.dueAt ?? "-infinity"),
    wanted.map((w) => w.after?.id ?? firstId),
  ]);
  const destinations = new Map<Id<"whe">, Destination>();
  return rows.map(({ url, secret, previousSecret, previousSecretExpiresAt, headers, rateLimit, ...delivery }) => {
    const { endpointId } = delivery;
    let destination = destinations.get(endpointId);
    if (!destination) {
      destination = new Destination({
        endpointId,
        url,
        secret,
        previousSecret,
        previousSecretExpiresAt,
        headers,
        rateLimit,
      });
      destinations.set(endpointId, destination);
    }
    return { ...delivery, destination };
  });
}

// A claim takes deliveries for at most 0.1 s of an endpoint's rate limit, and the endpoint then waits until they would
// have been sent at that rate. Claims lock the endpoint's row in webhook_paces, so the second of two concurrent claims
// sees what the first left. A missing row, which an earlier version may not have written, is inserted here.
const claim = `
WITH open AS MATERIALIZED (
  SELECT p.endpoint_id FROM (SELECT * FROM unnest($1::uuid[], $2::uuid[]) AS w (org_id, endpoint_id) ORDER BY 1, 2) AS w
  CROSS JOIN LATERAL (
    SELECT p.endpoint_id FROM webhook_paces p WHERE p.org_id = w.org_id AND p.endpoint_id = w.endpoint_id AND p.next_at <= $4 FOR UPDATE
  ) AS p
), wanted AS MATERIALIZED (
  SELECT e.*, CASE WHEN e.rate_limit IS NULL THEN w.slots ELSE least(w.slots, ceil(e.rate_limit / 10.0)::int) END AS slots,
    w.after_due, w.after_id
  FROM unnest($1::uuid[], $2::uuid[], $3::int[], $7::timestamptz[], $8::uuid[]) AS w (org_id, endpoint_id, slots, after_due, after_id)
  CROSS JOIN LATERAL (
    SELECT e.* FROM webhook_endpoints e
    WHERE e.org_id = w.org_id AND e.id = w.endpoint_id AND e.status = 'active' AND e.deleted_at IS NULL
      AND EXISTS (SELECT FROM organisations o WHERE o.id = e.org_id AND o.suspended_at IS NULL) OFFSET 0
  ) AS e
  WHERE e.rate_limit IS NULL OR e.id IN (SELECT endpoint_id FROM open)
    OR NOT EXISTS (SELECT FROM webhook_paces p WHERE p.org_id = e.org_id AND p.endpoint_id = e.id)
), picked AS MATERIALIZED (
  SELECT due.*
  FROM wanted CROSS JOIN LATERAL (
    SELECT ${deliveryLeases.located("d")} FROM webhook_deliveries d
    WHERE d.org_id = wanted.org_id AND d.endpoint_id = wanted.id AND ${deliveryLeases.claimable("d", "$4", "$5")}
      AND (d.next_attempt_at, d.id) > (wanted.after_due, wanted.after_id)
    ORDER BY d.next_attempt_at, d.id LIMIT wanted.slots FOR UPDATE SKIP LOCKED
  ) AS due
), claimed AS (
  ${deliveryLeases.claim("picked", "$5", "$6")} RETURNING leased.*
), rate_limited AS (
  INSERT INTO webhook_paces AS p (org_id, endpoint_id, next_at)
  SELECT wanted.org_id, wanted.id, $4 + count(*) * interval '1 second' / wanted.rate_limit
  FROM wanted JOIN claimed ON claimed.org_id = wanted.org_id AND claimed.endpoint_id = wanted.id
  WHERE wanted.rate_limit IS NOT NULL GROUP BY wanted.org_id, wanted.id, wanted.rate_limit
  ORDER BY wanted.org_id, wanted.id
  ON CONFLICT (org_id, endpoint_id) DO UPDATE SET next_at = greatest(p.next_at, excluded.next_at)
)
SELECT c.org_id AS "orgId", c.id, c.endpoint_id AS "endpointId", c.claim_id AS "claimId", c.event_id AS "eventId", c.event_type AS "eventType",
  c.trigger, c.next_attempt_at AS "dueAt", c.attempt_count AS "attemptCount", c.retry_step AS "retryStep", coalesce(c.body, ${bodyWithSequence("ev.body", "c.sequence")}) AS body,
  w.url, w.secret, w.previous_secret AS "previousSecret", w.previous_secret_expires_at AS "previousSecretExpiresAt", w.headers, w.rate_limit AS "rateLimit"
FROM claimed c
JOIN wanted w ON w.org_id = c.org_id AND w.id = c.endpoint_id
LEFT JOIN LATERAL (SELECT body FROM events ev WHERE ev.org_id = c.org_id AND ev.id = c.event_id OFFSET 0) AS ev ON true
ORDER BY c.next_attempt_at, c.id`;
