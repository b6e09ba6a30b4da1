import { sql } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { insertNotices, toldForMs, toOwnersAndAdmins } from "./endpoint-notices";

/** The content of a notification about a halted policy, as of its queueing. */
export interface PolicyFacts {
  policyId: Id<"pol">;
  policy: string;
  /** How many credentials the run would end. */
  affected: number;
  message: string;
  /** Sentences on what may be the cause. */
  causes: string[];
}

/**
 * Queues notifications about halted policies of all organisations to each owner and admin, each
 * once (contract section 12): while a policy stays halted, further runs of it are not news.
 * @returns how many notifications were queued
 */
export async function queuePolicyNotices(now: Date): Promise<number> {
  const queued = await sql(queue, [now, new Date(now.getTime() - toldForMs)]);
  return queued.length;
}

const queue = `
WITH notices AS (
  SELECT p.org_id, p.id, p.halted_at AS since, 'policy_halted' AS kind,
    jsonb_build_object('policyId', p.id, 'policy', p.name, 'affected', run.halt -> 'affected', 'message', run.halt ->> 'message', 'causes', run.halt -> 'causes') AS facts
  FROM policies p
  CROSS JOIN LATERAL (
    SELECT halt FROM policy_runs WHERE org_id = p.org_id AND policy_id = p.id AND status = 'halted' ORDER BY id DESC LIMIT 1
  ) run
  WHERE p.status = 'halted' AND p.halted_at > $2::timestamptz AND p.deleted_at IS NULL
)
${insertNotices(toOwnersAndAdmins, "$1")}
RETURNING 1`;

/** The content of a notification about a policy whose run failed, as of its queueing. */
export interface PolicyFailureFacts {
  policyId: Id<"pol">;
  runId: Id<"plr">;
  policy: string;
  /** Why the run failed. */
  reason: string;
}

/**
 * Queues notifications about policies whose last run failed, of all organisations: to each owner and admin,
 * once until a run of the policy ends well. A run that ended because somebody paused or deleted the
 * policy is not reported.
 * @returns how many notifications were queued
 */
export async function queuePolicyFailureNotices(now: Date): Promise<number> {
  const queued = await sql(queueFailures, [now, new Date(now.getTime() - toldForMs)]);
  return queued.length;
}

const queueFailures = `
WITH notices AS (
  SELECT run.org_id, run.policy_id AS id, first.since, 'policy_failed' AS kind,
    jsonb_build_object('policyId', run.policy_id, 'runId', run.id, 'policy', p.name, 'reason', run.error ->> 'message') AS facts
  FROM policy_runs run
  CROSS JOIN LATERAL (
    SELECT name FROM policies WHERE org_id = run.org_id AND id = run.policy_id AND deleted_at IS NULL AND status <> 'paused' OFFSET 0
  ) p
  CROSS JOIN LATERAL (
    SELECT min(failed.finished_at) AS since FROM policy_runs failed
    WHERE failed.org_id = run.org_id AND failed.policy_id = run.policy_id AND failed.status = 'failed' AND failed.error ->> 'code' <> 'policy_paused'
      AND NOT EXISTS (
        SELECT FROM policy_runs well WHERE well.org_id = run.org_id AND well.policy_id = run.policy_id AND well.id > failed.id AND well.status IN ('completed', 'halted', 'discarded'))
  ) first
  WHERE run.status = 'failed' AND run.finished_at > $2::timestamptz AND first.since > $2::timestamptz AND run.error ->> 'code' <> 'policy_paused'
    AND NOT EXISTS (
      SELECT FROM policy_runs later WHERE later.org_id = run.org_id AND later.policy_id = run.policy_id AND later.id > run.id AND later.status NOT IN ('running', 'waiting'))
)
${insertNotices(toOwnersAndAdmins, "$1")}
RETURNING 1`;
