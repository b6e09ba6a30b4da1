import { advisoryLocks } from "@/server/core/advisory-locks";
import { queuePool } from "@/server/core/db";
import { transaction } from "@/server/core/transaction";
import type { Consumer } from "./consumer";
import { composeReactions } from "./statement";

/** About how many rows one statement may write. It limits how long others wait for it: a tenth of a second. */
const maxRows = 4000;

export interface Sequenced {
  events: number;
  /** Whether there may be more events to number. */
  more: boolean;
  /** The rows that are due now, by the name of the consumer, for its `wake`. */
  due: Record<string, object[]>;
}

/**
 * Numbers a batch of committed events, without gaps within each organisation and in the order of writing. The same
 * statement creates the consumers' due rows (docs/architecture.md, rule 3), so an event with a number has its due rows.
 * If an event is committed after a later one has been numbered, it gets the next number, so a reader by sequence misses
 * nothing. Organisations share the batch, so that one that writes a million events at once does not delay the others.
 */
export async function sequenceEvents(
  consumers: readonly Consumer[],
  batch = 1000,
  now: Date = new Date(),
): Promise<Sequenced> {
  const text = statementFor(consumers.filter((consumer) => consumer.isEnabled?.() ?? true));
  return transaction(async (tx) => {
    // Connections of queues disable hash joins, but between the sets of this statement they are the right plan.
    tx.send(`SELECT pg_advisory_xact_lock($1), set_config('enable_hashjoin', 'on', true)`, [advisoryLocks.sequencer]);
    // All statements are sent in one packet: a process that stalled between two of them would hold the lock, and keep
    // the others from numbering for a minute.
    const [row] = await tx.last<Sequenced>(text, [batch, now, maxRows]);
    return row!;
  }, queuePool());
}

function statementFor(consumers: readonly Consumer[]): string {
  const reactions = composeReactions(consumers, {
    events: "numbered",
    organisations: "per_org",
    now: "$2::timestamptz",
  });
  return `
WITH RECURSIVE waiting AS (
  (SELECT org_id FROM event_outbox ORDER BY org_id LIMIT 1)
  UNION ALL
  SELECT following.org_id FROM waiting CROSS JOIN LATERAL (
    SELECT org_id FROM event_outbox WHERE org_id > waiting.org_id ORDER BY org_id LIMIT 1
  ) AS following
), parameters AS (
  -- Tells PostgreSQL the type of $2 where no consumer uses it.
  SELECT $2::timestamptz
), shares AS MATERIALIZED (
  SELECT waiting.org_id, greatest(1, least($1::bigint, $3::bigint / (1 + rows_per_event.n)) / organisations.n) AS share
  FROM waiting
  CROSS JOIN (SELECT count(*) AS n FROM waiting) AS organisations
  CROSS JOIN LATERAL (SELECT ${reactions.rowsPerEvent("waiting.org_id")} AS n) AS rows_per_event
), due AS MATERIALIZED (
  SELECT first.* FROM shares CROSS JOIN LATERAL (
    SELECT ctid AS tid, * FROM event_outbox WHERE org_id = shares.org_id ORDER BY position LIMIT shares.share
  ) AS first
), per_org AS MATERIALIZED (
  SELECT org_id, count(*) AS n FROM due GROUP BY org_id
), counters AS (
  INSERT INTO event_counters (org_id, last_sequence) SELECT org_id, n FROM per_org
  ON CONFLICT (org_id) DO UPDATE SET last_sequence = event_counters.last_sequence + excluded.last_sequence
  RETURNING org_id, last_sequence
), numbered AS (
  SELECT due.org_id, due.id, due.type, due.resource_id, due.actor_id, due.template_id, due.created_at,
    counters.last_sequence + 1 - row_number() OVER (PARTITION BY due.org_id ORDER BY due.position DESC) AS sequence
  FROM due JOIN counters USING (org_id)
), logged AS (
  INSERT INTO event_log (org_id, id, sequence, type, resource_id, actor_id, template_id, created_at)
  SELECT org_id, id, sequence, type, resource_id, actor_id, template_id, created_at FROM numbered ORDER BY org_id, sequence
), taken AS (
  DELETE FROM event_outbox USING due WHERE event_outbox.ctid = due.tid
)${reactions.with}
SELECT (SELECT count(*) FROM numbered)::int AS events, EXISTS (SELECT FROM per_org JOIN shares USING (org_id) WHERE n = share) AS more, ${reactions.due} AS due`;
}
