import { queueSql } from "@/server/core/db";
import { Failures } from "@/server/core/failures";
import type { Id } from "@/server/core/ids";

/** How many credentials one statement reads. */
const batch = 1000;

/**
 * Queues the messages `expiring` of all organisations, once for each expiry. It stores for each template up to which
 * expiry it has searched, so that a run reads only the credentials that came within the period since the last run. A
 * template that fails does not stop the others; its error is thrown in the end.
 *
 * @param until starts no batch after this time; the next run continues
 * @returns how many messages were queued
 */
export async function queueExpiringMessages(now: Date, until: Date): Promise<number> {
  const waiting = await queueSql<{ org_id: Id<"org">; id: Id<"tpl"> }>(
    `SELECT org_id, id FROM templates WHERE 'expiring' = ANY(message_kinds)`,
  );
  const failures = new Failures();
  let queued = 0;
  // Templates take turns batch by batch, so that a large one does not delay the others.
  while (waiting.length > 0 && Date.now() < until.getTime()) {
    const template = waiting.shift()!;
    const { looked, made } = (await failures.keep(sweepTemplate(template, now))) ?? { looked: 0, made: 0 };
    queued += made;
    if (looked === batch) waiting.push(template);
  }
  failures.throw();
  return queued;
}

async function sweepTemplate({ org_id, id }: { org_id: Id<"org">; id: Id<"tpl"> }, now: Date) {
  await queueSql(begin, [org_id, id, now]);
  const [row] = await queueSql<{ looked: number; made: number }>(sweep, [org_id, id, now, batch]);
  return row!;
}

const begin = `
INSERT INTO message_sweeps (org_id, template_id, swept_to, credential_id)
SELECT org_id, id, $3::timestamptz, '00000000-0000-0000-0000-000000000000' FROM templates WHERE org_id = $1 AND id = $2
ON CONFLICT (org_id, template_id) DO NOTHING`;

// Reads credentials in the order of their expiry (credentials_expires_idx). If another process is sweeping the same
// template, its row is locked and skipped, and the statement does nothing.
const sweep = `
WITH known AS MATERIALIZED (
  SELECT swept_to, credential_id FROM message_sweeps WHERE org_id = $1 AND template_id = $2 FOR UPDATE SKIP LOCKED
), place AS MATERIALIZED (
  SELECT greatest(known.swept_to, $3::timestamptz) AS swept_to, known.credential_id, $3::timestamptz + t.expiring_days * interval '1 day' AS horizon
  FROM known JOIN templates t ON t.org_id = $1 AND t.id = $2 AND 'expiring' = ANY(t.message_kinds)
), found AS MATERIALIZED (
  SELECT c.id, c.subject_id, c.expires_at FROM place CROSS JOIN LATERAL (
    SELECT * FROM credentials WHERE org_id = $1 AND template_id = $2 AND state = 'active'
      AND (coalesce(expires_at, 'infinity'), id) > (place.swept_to, place.credential_id) AND coalesce(expires_at, 'infinity') <= place.horizon
    ORDER BY coalesce(expires_at, 'infinity'), id LIMIT $4
  ) AS c
), last AS (
  SELECT expires_at, id FROM found ORDER BY expires_at DESC, id DESC LIMIT 1
), moved AS (
  UPDATE message_sweeps SET
    swept_to = CASE WHEN (SELECT count(*) FROM found) = $4 THEN (SELECT expires_at FROM last) ELSE greatest(place.swept_to, place.horizon) END,
    credential_id = CASE WHEN (SELECT count(*) FROM found) = $4 THEN (SELECT id FROM last) ELSE 'ffffffff-ffff-ffff-ffff-ffffffffffff' END
  FROM place WHERE message_sweeps.org_id = $1 AND message_sweeps.template_id = $2
), made AS (
  INSERT INTO messages (org_id, id, kind, credential_id, subject_id, template_id, about, next_attempt_at, asked_at, created_at, updated_at)
  SELECT $1, uuidv7(), 'expiring', found.id, found.subject_id, $2, found.expires_at, $3, $3, $3, $3 FROM found
  CROSS JOIN LATERAL (
    SELECT FROM subjects WHERE org_id = $1 AND subjects.id = found.subject_id AND status = 'active' AND email IS NOT NULL AND erased_at IS NULL OFFSET 0
  ) AS holder
  ON CONFLICT DO NOTHING
  RETURNING 1
)
SELECT (SELECT count(*) FROM found)::int AS looked, (SELECT count(*) FROM made)::int AS made`;
