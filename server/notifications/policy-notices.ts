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
 * Queues notifications about halted policies of all organisations to each owner and admin with a verified address, each
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
