import { audit } from "@/server/access/audit";
import { publicId, type Id } from "@/server/core/ids";
import { nextRun } from "@/server/core/schedule";
import { startDue } from "@/server/core/start-due";
import type { Tx } from "@/server/core/transaction";
import { policyColumns, type PolicyRow } from "../view";
import { queueRun } from "./queue-run";

/**
 * Queues the run of the next policy whose time has come, on behalf of the organisation: a schedule outlives its author
 * (contract section 3). A time that comes while a run is in progress is skipped. Times that passed while no server ran
 * are made up for by one run. A policy whose run cannot be queued is put off for an hour.
 *
 * @returns false if none is due
 */
export function startDuePolicy(now: Date): Promise<boolean> {
  return startDue<DuePolicy>({
    claim: async (tx) => (await tx.sql<DuePolicy>(due, [now]))[0],
    async start(tx, policy) {
      await tx.sql(`UPDATE policies SET next_run_at = $3 WHERE org_id = $1 AND id = $2`, [
        policy.org_id,
        policy.id,
        nextRun(policy.schedule, now),
      ]);
      if (policy.busy) return;
      const ctx = jobCtx(tx, policy, now);
      const { actor } = ctx;
      const run = await queueRun(ctx, policy, { trigger: "schedule", actor, scopes: ["policies:apply"] });
      await audit(ctx, "policy_run.queued", { type: "policy_run", id: publicId("plr", run) }, { policyId: actor.id });
    },
    async putOff(tx, policy) {
      // Not if somebody has paused, deleted or rescheduled the policy meanwhile.
      const [put] = await tx.sql<{ next_run_at: Date }>(
        `UPDATE policies SET next_run_at = $3::timestamptz + interval '1 hour'
         WHERE org_id = $1 AND id = $2 AND next_run_at <= $3 AND status <> 'paused' RETURNING next_run_at`,
        [policy.org_id, policy.id, now],
      );
      if (!put) return;
      const ctx = jobCtx(tx, policy, now);
      await audit(
        ctx,
        "policy.schedule_put_off",
        { type: "policy", id: ctx.actor.id },
        { nextRunAt: put.next_run_at.toISOString() },
      );
    },
  });
}

type DuePolicy = PolicyRow & { org_id: Id<"org">; busy: boolean };

/** The policy acts for its organisation. */
function jobCtx(tx: Tx, policy: DuePolicy, now: Date) {
  const actor = { type: "job" as const, id: publicId("pol", policy.id) };
  return { orgId: policy.org_id, actor, scopes: new Set<never>(), requestId: actor.id, now, tx };
}

const due = `
SELECT org_id, ${policyColumns}, EXISTS (SELECT FROM policy_runs run WHERE run.org_id = p.org_id AND run.policy_id = p.id AND run.status IN ('running', 'waiting')) AS busy
FROM policies p WHERE next_run_at <= $1 AND deleted_at IS NULL AND status <> 'paused'
  AND NOT EXISTS (SELECT FROM organisations o WHERE o.id = p.org_id AND o.suspended_at IS NOT NULL)
ORDER BY next_run_at LIMIT 1 FOR UPDATE OF p SKIP LOCKED`;
