import type { Actor, TxCtx } from "@/server/core/context";
import { isUniqueViolation } from "@/server/core/db";
import { DomainError } from "@/server/core/errors";
import { newId, type Id } from "@/server/core/ids";
import type { Scope } from "@/server/core/scopes";
import { configOf } from "../config";
import type { PolicyRow } from "../view";

interface Asked {
  trigger: "manual" | "schedule";
  actor: Actor;
  scopes: Iterable<Scope>;
  accessToken?: string | undefined;
  /** The plan that the caller saw. */
  expected?: string | undefined;
}

/**
 * Queues a run of a locked policy, with a copy of the policy.
 * @throws DomainError run_in_progress while another run is in progress
 */
export async function queueRun(ctx: TxCtx, policy: PolicyRow, asked: Asked): Promise<Id<"plr">> {
  const id = newId("plr");
  await ctx.tx
    .savepoint(() =>
      ctx.tx.sql(
        `INSERT INTO policy_runs (org_id, id, policy_id, trigger, actor, scopes, access_token, config, expected, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
        [
          ctx.orgId,
          id,
          policy.id,
          asked.trigger,
          asked.actor,
          [...asked.scopes],
          asked.accessToken ?? null,
          configOf(policy),
          asked.expected ?? null,
          ctx.now,
        ],
      ),
    )
    .catch((error: unknown) => {
      throw isUniqueViolation(error)
        ? new DomainError(
            "run_in_progress",
            "A run of this policy is under way. Wait until it has ended, or pause the policy.",
          )
        : error;
    });
  ctx.tx.nudgeAfterCommit("policies");
  return id;
}
