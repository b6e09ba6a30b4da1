import { sql } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import {
  disabledAfterMs,
  failuresSpanMs,
  lastWarnedBeforeMs,
  warnedAfterMs,
  warnedSpanMs,
} from "@/server/webhooks/endpoints/health-limits";

/** What is older is not told any more. Shorter than notifications are kept (server/retention/purge.ts). */
export const toldForMs = 7 * 86_400_000;

/** What a notification of an endpoint tells, as it was when it was queued. Times are ISO 8601. */
export interface EndpointFacts {
  endpointId: Id<"whe">;
  url: string;
  description: string;
  reason: "failing" | "gone" | null;
  failingSince: string | null;
  willBeDisabledAt: string | null;
  disabledAt: string | null;
  lastFailureDetail: string | null;
}

/**
 * Queues a notification to each owner and admin with a verified address, of each endpoint that fails or was disabled,
 * of all organisations, each once: a first warning, a last one, its end (contract section 10). Who disables an endpoint
 * by hand is not told. Of two warnings at once the last is told. Warnings follow the clock and no event, so that they
 * are looked for; the end is told by follow-endpoints.ts too, at once.
 * @returns how many notifications were queued.
 */
export async function queueEndpointNotices(now: Date): Promise<number> {
  const queued = await sql(queue, [
    now,
    disabledAfterMs,
    failuresSpanMs,
    warnedAfterMs,
    lastWarnedBeforeMs,
    warnedSpanMs,
    toldForMs,
  ]);
  return queued.length;
}

const ms = (parameter: number) => `$${parameter}::bigint * interval '1 millisecond'`;

/** SQL: EndpointFacts of the endpoint `e`. */
export const endpointFactsJson = (
  willBeDisabledAt: string,
) => `jsonb_build_object('endpointId', e.id, 'url', e.url, 'description', e.description, 'reason', e.disabled_reason, 'failingSince', e.failing_since,
      'willBeDisabledAt', ${willBeDisabledAt}, 'disabledAt', e.disabled_at, 'lastFailureDetail', e.last_failure_detail)`;

/** SQL: inserts the notices `n` (org_id, id, kind, since, facts) to the people `m`, each once. */
export const insertNotices = (from: string, now: string) => `
INSERT INTO notifications (org_id, dedupe_key, user_id, kind, facts, next_attempt_at, created_at)
SELECT n.org_id, concat_ws(':', n.kind, n.id, (extract(epoch FROM n.since) * 1000)::bigint, m.user_id), m.user_id, n.kind, n.facts, ${now}, ${now}
FROM ${from}
ON CONFLICT (org_id, dedupe_key) DO NOTHING`;

/** SQL: the people of `notices` n who are told. */
export const toOwnersAndAdmins = `notices n JOIN memberships m ON m.org_id = n.org_id AND m.role IN ('owner', 'admin')
JOIN users u ON u.id = m.user_id AND u.email_verified_at IS NOT NULL`;

const queue = `
WITH notices AS (
  SELECT e.org_id, e.id, coalesce(e.disabled_at, e.failing_since) AS since,
    CASE WHEN e.status = 'disabled' THEN 'endpoint_disabled' WHEN ending.at <= $1::timestamptz + ${ms(5)} THEN 'endpoint_last_warning' ELSE 'endpoint_failing' END AS kind,
    ${endpointFactsJson("ending.at")} AS facts
  FROM webhook_endpoints e
  CROSS JOIN LATERAL (
    SELECT CASE WHEN e.status = 'active' THEN greatest(greatest(e.enabled_at, e.last_success_at) + ${ms(2)}, e.failing_since + ${ms(3)}) END AS at
  ) ending
  WHERE e.deleted_at IS NULL AND (
    (e.status = 'disabled' AND e.disabled_reason IN ('failing', 'gone') AND e.disabled_at > $1::timestamptz - ${ms(7)})
    OR (e.status = 'active' AND e.last_failure_at > $1::timestamptz - ${ms(7)} AND e.last_failure_at >= e.failing_since + ${ms(6)}
      AND (e.failing_since <= $1::timestamptz - ${ms(4)} OR ending.at <= $1::timestamptz + ${ms(5)}))
  )
)
${insertNotices(toOwnersAndAdmins, "$1")}
RETURNING 1`;
