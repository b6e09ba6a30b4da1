import { queuePool } from "@/server/core/db";
import { transaction } from "@/server/core/transaction";
import { newId } from "@/server/core/ids";

/** One sequencer at a time, in all processes, and none while an erasure blanks events; the number is arbitrary and only has to be ours. */
export const sequencerLock = 7_266_331;

/** Rows that one statement makes of an organisation's events, about: others wait for it for a tenth of a second at most. */
const maxRows = 4000;

export interface Sequenced {
  events: number;
  /** There may be more to number. */
  more: boolean;
  deliveries: number;
  /** The endpoints that deliveries are now due for. */
  endpoints: { orgId: string; endpointId: string }[];
}

/**
 * Numbers a batch of committed events, without gaps within each organisation and in the order of writing, and inserts
 * their deliveries in the same statement (architecture, rule 8). A position can become visible after a later one has been
 * numbered; it then simply gets the next number, so a reader by sequence misses nothing. Organisations share the batch, so that
 * one which writes a million events at once does not keep the others waiting.
 */
export async function sequenceEvents(batch = 1000, now: Date = new Date()): Promise<Sequenced> {
  return transaction(async (tx) => {
    // Hash joins, which these connections leave out, are right between the sets that the statement makes itself.
    tx.send(`SELECT pg_advisory_xact_lock($1), set_config('enable_hashjoin', 'on', true)`, [sequencerLock]);
    // All in one packet: a process that stands still between two statements would keep the others from numbering for a minute.
    const [row] = await tx.last<Sequenced>(numberAndFanOut, [batch, now, ...idParts(), maxRows]);
    return row!;
  }, queuePool());
}

/**
 * What stands before and after the count in the ids of deliveries that one statement makes: a fresh id without 25 of its random
 * bits, which crockford_25_bits fills. new_id() costs 24 µs an id, this 1 µs.
 */
export function idParts(): [head: string, tail: string] {
  const model = newId("dlv");
  return [model.slice(0, 18), model.slice(23)];
}

// No endpoint is told of its own end: it could not be sent to. The rows of disabled endpoints are held meanwhile, so that nothing is
// parked after one of them was enabled and recovered; where another holds one, settleStrays parks what is due to it later.
const numberAndFanOut = `
WITH RECURSIVE waiting AS (
  (SELECT org_id FROM events WHERE sequence IS NULL ORDER BY org_id LIMIT 1)
  UNION ALL
  SELECT following.org_id FROM waiting CROSS JOIN LATERAL (
    SELECT org_id FROM events WHERE sequence IS NULL AND org_id > waiting.org_id ORDER BY org_id LIMIT 1
  ) AS following
), shares AS MATERIALIZED (
  SELECT waiting.org_id, greatest(1, least($1::bigint, $5::bigint / (1 + endpoints.n)) / organisations.n) AS share
  FROM waiting
  CROSS JOIN (SELECT count(*) AS n FROM waiting) AS organisations
  CROSS JOIN LATERAL (SELECT count(*) AS n FROM webhook_endpoints e WHERE e.org_id = waiting.org_id AND e.deleted_at IS NULL) AS endpoints
), due AS MATERIALIZED (
  SELECT first.* FROM shares CROSS JOIN LATERAL (
    SELECT ctid AS tid, org_id, id, position, type, resource_id FROM events
    WHERE org_id = shares.org_id AND sequence IS NULL ORDER BY position LIMIT shares.share
  ) AS first
), per_org AS MATERIALIZED (
  SELECT org_id, count(*) AS n FROM due GROUP BY org_id
), listeners AS MATERIALIZED (
  SELECT endpoint.* FROM per_org CROSS JOIN LATERAL (
    SELECT org_id, id, status, event_types FROM webhook_endpoints e WHERE e.org_id = per_org.org_id AND e.deleted_at IS NULL OFFSET 0
  ) AS endpoint
), disabled AS MATERIALIZED (
  SELECT e.org_id, e.id FROM listeners CROSS JOIN LATERAL (
    SELECT org_id, id FROM webhook_endpoints e WHERE e.org_id = listeners.org_id AND e.id = listeners.id AND e.status = 'disabled' FOR SHARE SKIP LOCKED
  ) AS e
  WHERE listeners.status = 'disabled'
), counters AS (
  INSERT INTO event_counters (org_id, last_sequence) SELECT org_id, n FROM per_org
  ON CONFLICT (org_id) DO UPDATE SET last_sequence = event_counters.last_sequence + excluded.last_sequence
  RETURNING org_id, last_sequence
), numbered AS (
  SELECT due.tid, due.org_id, due.id, due.type, due.resource_id,
    counters.last_sequence + 1 - row_number() OVER (PARTITION BY due.org_id ORDER BY due.position DESC) AS sequence
  FROM due JOIN counters USING (org_id)
), updated AS (
  UPDATE events SET sequence = numbered.sequence, body = events.body || ',"sequence":' || numbered.sequence || '}'
  FROM numbered WHERE events.ctid = numbered.tid
), fan AS (
  SELECT numbered.*, endpoint.id AS endpoint_id, CASE WHEN disabled.id IS NULL THEN 'pending' ELSE 'parked' END AS status,
    row_number() OVER (ORDER BY numbered.org_id, numbered.sequence) - 1 AS n
  FROM numbered
  JOIN listeners endpoint ON endpoint.org_id = numbered.org_id
   AND (endpoint.event_types = '{}' OR event_matches(numbered.type, endpoint.event_types))
   AND NOT (numbered.type = 'webhook.endpoint.disabled' AND numbered.resource_id = endpoint.id)
  LEFT JOIN disabled ON disabled.org_id = endpoint.org_id AND disabled.id = endpoint.id
), fanned AS (
  INSERT INTO webhook_deliveries (org_id, id, endpoint_id, event_id, event_type, sequence, status, next_attempt_at, created_at)
  SELECT org_id, $3 || counted.text || $4, endpoint_id, id, type, sequence,
    status, CASE WHEN status = 'pending' THEN $2::timestamptz END, $2
  FROM fan, crockford_25_bits(n) AS counted (text)
  ORDER BY n
  RETURNING org_id, endpoint_id, status
)
SELECT (SELECT count(*) FROM numbered)::int AS events, EXISTS (SELECT FROM per_org JOIN shares USING (org_id) WHERE n = share) AS more, (SELECT count(*) FROM fanned)::int AS deliveries,
  (SELECT coalesce(jsonb_agg(jsonb_build_object('orgId', org_id, 'endpointId', endpoint_id)), '[]')
   FROM (SELECT DISTINCT org_id, endpoint_id FROM fanned WHERE status = 'pending') AS due_now) AS endpoints`;
