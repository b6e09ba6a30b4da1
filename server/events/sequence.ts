import { transaction } from "@/server/core/db";

/** One sequencer at a time, in all processes; the number is arbitrary and only has to be ours. */
const sequencerLock = 7_266_331;

/**
 * Numbers a batch of committed events, without gaps within each organisation and in the order of writing, and inserts
 * their deliveries in the same statement (architecture, rule 8). A position can become visible after a later one has been
 * numbered; it then simply gets the next number, so a reader by sequence misses nothing.
 *
 * @returns how many events were numbered and deliveries made; `events` equal to `batch` means that there may be more.
 */
export async function sequenceEvents(batch = 2000): Promise<{ events: number; deliveries: number }> {
  return transaction(async (tx) => {
    await tx.sql(`SELECT pg_advisory_xact_lock($1)`, [sequencerLock]);
    const rows = await tx.sql<{ events: number; deliveries: number }>(numberAndFanOut, [batch]);
    return rows[0] ?? { events: 0, deliveries: 0 };
  });
}

// Delivery ids are made here from the clock and gen_random_uuid, in the form of server/core/ids.ts.
const numberAndFanOut = `
WITH due AS MATERIALIZED (
  SELECT org_id, id, position, type FROM events WHERE sequence IS NULL ORDER BY position LIMIT $1
), per_org AS (
  SELECT org_id, count(*) AS n FROM due GROUP BY org_id
), counters AS (
  INSERT INTO event_counters (org_id, last_sequence) SELECT org_id, n FROM per_org
  ON CONFLICT (org_id) DO UPDATE SET last_sequence = event_counters.last_sequence + excluded.last_sequence
  RETURNING org_id, last_sequence
), numbered AS (
  SELECT due.org_id, due.id, due.type,
    counters.last_sequence - per_org.n + row_number() OVER (PARTITION BY due.org_id ORDER BY due.position) AS sequence
  FROM due JOIN per_org USING (org_id) JOIN counters USING (org_id)
), updated AS (
  UPDATE events SET sequence = numbered.sequence, body = events.body || ',"sequence":' || numbered.sequence || '}'
  FROM numbered WHERE events.org_id = numbered.org_id AND events.id = numbered.id
), fanned AS (
  INSERT INTO webhook_deliveries (org_id, id, endpoint_id, event_id, event_type, sequence, status, next_attempt_at)
  SELECT numbered.org_id, new_id('dlv'), endpoint.id, numbered.id, numbered.type, numbered.sequence,
    CASE endpoint.status WHEN 'active' THEN 'pending' ELSE 'parked' END,
    CASE endpoint.status WHEN 'active' THEN now() END
  FROM numbered
  JOIN webhook_endpoints endpoint ON endpoint.org_id = numbered.org_id AND endpoint.deleted_at IS NULL
   AND (endpoint.event_types = '{}' OR event_matches(numbered.type, endpoint.event_types))
  ORDER BY numbered.org_id, numbered.sequence
  RETURNING 1
)
SELECT (SELECT count(*) FROM numbered)::int AS events, (SELECT count(*) FROM fanned)::int AS deliveries`;
