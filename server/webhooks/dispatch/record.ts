import { queueSql, type Query } from "@/server/core/db";
import { released } from "@/server/reactions/leased-table";
import type { Attempt } from "./attempt";

/**
 * Logs many attempts in one statement and updates their deliveries if the claim still holds. Repeating it after a
 * broken connection changes nothing.
 */
export async function recordAttempts(attempts: Attempt[], sql: Query = queueSql): Promise<void> {
  const column = <T>(of: (attempt: Attempt) => T) => attempts.map(of);
  const values = [
    column((a) => a.delivery.orgId),
    column((a) => a.delivery.id),
    column((a) => a.delivery.endpointId),
    column((a) => a.delivery.claimId),
    column((a) => a.id),
    column((a) => a.outcome),
    column((a) => a.retryAt),
    column((a) => a.delivery.attemptCount + 1),
    column((a) => a.delivery.trigger),
    column((a) => a.delivery.destination.url),
    column((a) => a.address),
    column((a) => JSON.stringify(a.requestHeaders)),
    column((a) => a.statusCode),
    column((a) => a.errorClass),
    column((a) => a.errorDetail),
    column((a) => a.durationMs),
    column((a) => JSON.stringify(a.responseHeaders)),
    column((a) => a.responseBody),
    column((a) => a.responseTruncated),
    column((a) => a.startedAt),
    column((a) => a.delivery.eventId),
  ];
  // A delivery that another statement updated at the same moment (e.g. to extend its lease) has a new ctid and is
  // missed; repeating finds it.
  for (;;) {
    const [row] = await sql<{ held: number; recorded: number }>(record, values);
    if (row!.recorded === row!.held) return;
  }
}

// If the event was erased while the request was in flight, the attempt is logged without the response, which may repeat
// what was sent. The event is locked, so that an erasure comes either before, and is seen, or after, and blanks what is
// logged here; an erasure under way holds the lock already, and its event is skipped.
// If the endpoint was disabled or deleted meanwhile, the attempt is logged and not retried. The endpoint's row is
// locked, so that nothing is parked after it was enabled; if another transaction holds it, parkLeftoverDeliveries parks
// the rest.
const record = `
WITH done AS MATERIALIZED (
  SELECT * FROM unnest(
    $1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::timestamptz[], $8::int[], $9::text[], $10::text[], $11::text[],
    $12::text[], $13::int[], $14::text[], $15::text[], $16::int[], $17::text[], $18::text[], $19::bool[], $20::timestamptz[], $21::uuid[]
  ) AS d (org_id, delivery_id, endpoint_id, claim_id, id, outcome, retry_at, number, trigger, url, address,
    request_headers, status_code, error_class, error_detail, duration_ms, response_headers, response_body, response_truncated, started_at, event_id)
), held AS MATERIALIZED (
  SELECT found.tid, done.* FROM done CROSS JOIN LATERAL (
    SELECT ctid AS tid FROM webhook_deliveries d WHERE d.org_id = done.org_id AND d.id = done.delivery_id AND d.claim_id = done.claim_id OFFSET 0
  ) AS found
), ended AS MATERIALIZED (
  SELECT e.org_id, e.id, CASE WHEN e.deleted_at IS NULL THEN 'parked' ELSE 'cancelled' END AS ending
  FROM (SELECT DISTINCT org_id, endpoint_id FROM done WHERE outcome = 'retry') AS retried
  CROSS JOIN LATERAL (
    SELECT * FROM webhook_endpoints e
    WHERE e.org_id = retried.org_id AND e.id = retried.endpoint_id AND (e.deleted_at IS NOT NULL OR e.status = 'disabled') FOR SHARE SKIP LOCKED
  ) AS e
), logged AS (
  INSERT INTO webhook_attempts (org_id, id, delivery_id, endpoint_id, number, trigger, url, address, request_headers, status_code, error_class,
    error_detail, duration_ms, response_headers, response_body, response_truncated, created_at)
  SELECT done.org_id, done.id, delivery_id, endpoint_id, number, trigger, url, address, request_headers::jsonb, status_code, error_class,
    error_detail, duration_ms, CASE WHEN event.id IS NULL OR held.is_whole THEN response_headers::jsonb END, CASE WHEN event.id IS NULL OR held.is_whole THEN response_body END,
    response_truncated, started_at
  FROM done
  LEFT JOIN LATERAL (SELECT e.id FROM events e WHERE e.org_id = done.org_id AND e.id = done.event_id OFFSET 0) AS event ON true
  LEFT JOIN LATERAL (SELECT NOT e.erased AS is_whole FROM events e WHERE e.org_id = done.org_id AND e.id = done.event_id AND done.response_body IS NOT NULL FOR SHARE SKIP LOCKED) AS held ON true
  WHERE outcome <> 'cancelled'
  ON CONFLICT (org_id, id) DO NOTHING
), recorded AS (
  UPDATE webhook_deliveries d SET
    status = next.status,
    attempt_count = CASE WHEN done.outcome = 'cancelled' THEN d.attempt_count ELSE done.number END,
    retry_step = d.retry_step + 1,
    next_attempt_at = CASE WHEN next.status = 'pending' THEN done.retry_at END,
    ${released},
    last_status_code = done.status_code, last_error_class = done.error_class,
    completed_at = CASE WHEN next.status IN ('succeeded', 'failed', 'cancelled') THEN done.started_at + done.duration_ms * interval '1 millisecond' END
  FROM held AS done
  LEFT JOIN ended ON ended.org_id = done.org_id AND ended.id = done.endpoint_id
  CROSS JOIN LATERAL (SELECT CASE WHEN done.outcome = 'retry' THEN coalesce(ended.ending, 'pending') ELSE done.outcome END AS status) AS next
  WHERE d.ctid = done.tid AND d.org_id = done.org_id AND d.id = done.delivery_id AND d.claim_id = done.claim_id
  RETURNING 1
)
SELECT (SELECT count(*) FROM held) AS held, (SELECT count(*) FROM recorded) AS recorded`;
