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
 * Queues a run of a locked policy, with a copy of the policy. Looks for a run in progress before it writes: the unique
 * index would wait for the transaction of that run's step, which in turn waits for the policy.
 *
 * @throws DomainError run_in_progress while another run is in progress
 */
export async function queueRun(ctx: TxCtx, policy: PolicyRow, asked: Asked): Promise<Id<"plr">> {
  const [other] = await ctx.tx.sql<UnderWay>(underWay, [ctx.orgId, policy.id]);
  if (other) throw inProgress(other);
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
      throw isUniqueViolation(error) ? inProgress({ file: null }) : error;
    });
  ctx.tx.nudgeAfterCommit("policies");
  return id;
}

interface UnderWay {
  /** The connector whose file the run waits for. */
  file: string | null;
}

const underWay = `
SELECT c.name AS file FROM policy_runs run
LEFT JOIN connector_runs waited ON waited.org_id = run.org_id AND waited.id = run.waits_for
LEFT JOIN connectors c ON c.org_id = waited.org_id AND c.id = waited.connector_id
WHERE run.org_id = $1 AND run.policy_id = $2 AND run.status IN ('running', 'waiting')`;

const inProgress = ({ file }: UnderWay) =>
  new DomainError(
    "run_in_progress",
    file === null
      ? "A run of this policy is under way. Wait until it has ended, or pause the policy."
      : `A run of this policy waits until a file of the connector ${file} has been applied or, if the file is held, approved or cancelled. Wait until both have ended, or pause the policy.`,
  );
