import { sql } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import {
  disabledAfterMs,
  failuresSpanMs,
  lastWarnedBeforeMs,
  warnedAfterMs,
  warnedSpanMs,
} from "@/server/webhooks/endpoints/health-limits";

/**
 * Older failures and disabled endpoints are not reported any more. Must be shorter than notifications are kept
 * (server/retention/purge.ts), or a purged notification would be queued again.
 */
export const toldForMs = 7 * 86_400_000;

/** The content of a notification about an endpoint, as of its queueing. Times are ISO 8601. */
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
 * Queues notifications about endpoints of all organisations to each owner and admin, each once:
 * a first warning and a last one while the endpoint fails, and that it was disabled (contract section 10). An endpoint
 * that a person disabled is not reported. If both warnings are due at once, only the last warning is queued. Warnings
 * become due by the clock, without an event, so this function polls for them. follow-endpoints.ts also queues that an
 * endpoint was disabled, without the delay of polling.
 * @returns how many notifications were queued
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

/** SQL: stores the notices `n` (org_id, id, kind, since, facts) for the people `m` (user_id, is_verified), each once. */
export const insertNotices = (from: string, now: string) => `
INSERT INTO notifications (org_id, dedupe_key, user_id, kind, facts, state, next_attempt_at, created_at)
SELECT n.org_id, concat_ws(':', n.kind, n.id, (extract(epoch FROM n.since) * 1000)::bigint, m.user_id), m.user_id, n.kind, n.facts,
  CASE WHEN m.is_verified THEN 'pending' ELSE 'unsent' END, ${now}, ${now}
FROM ${from}
ON CONFLICT (org_id, dedupe_key) DO NOTHING`;

/** SQL: joins the notices `n` of the table expression `notices` with the people `m` to notify. */
export const toOwnersAndAdmins = `notices n CROSS JOIN LATERAL (
  SELECT u.id AS user_id, u.email_verified_at IS NOT NULL AS is_verified FROM memberships JOIN users u ON u.id = memberships.user_id
  WHERE memberships.org_id = n.org_id AND memberships.role IN ('owner', 'admin')
) m`;

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
