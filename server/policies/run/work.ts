import type { TxCtx } from "@/server/core/context";
import { publicId, type Id } from "@/server/core/ids";
import type { Mandate } from "@/server/core/operation";
import type { Scope } from "@/server/core/scopes";
import { append } from "@/server/events/append";
import type { PolicyConfig } from "../config";
import { plansOf } from "../plan/plans";
import { countsView, runColumns, type Counts, type RunRow } from "../run-view";
import type { PolicyStatus } from "../view";

export type Phase = "planning" | "removing" | "granting";

/** A run with all data that its steps need. */
export interface Work extends RunRow {
  org_id: Id<"org">;
  scopes: Scope[];
  access_token: string | null;
  config: PolicyConfig;
  phase: Phase;
  after: Id<"sub"> | null;
  evaluated_at: Date | null;
  expected: string | null;
}

export const workColumns = `org_id, scopes, access_token, config, phase, after, evaluated_at, expected, ${runColumns}`;

export interface RunMandate extends Mandate {
  work: Work;
}

/** Time limit of a statement over a whole organisation. A million people take a few seconds. */
export const planMs = 30_000;

/** Returns a function that begins a statement of the run's plan. The rule's relative times refer to `now`. */
export async function planOf(ctx: TxCtx, work: Pick<Work, "policy_id" | "config">, now: Date) {
  return (await plansFor(ctx, work, now)).fresh;
}

export const plansFor = ({ tx, orgId }: TxCtx, { policy_id, config }: Pick<Work, "policy_id" | "config">, now: Date) =>
  plansOf(tx.sql, { orgId, policyId: policy_id, config, now });

/**
 * The context in which a run changes credentials: their events and history name the run as the actor, and the policy's
 * rights apply, whoever requested the run.
 */
export const asRun = (ctx: TxCtx, { id }: Pick<Work, "id">): TxCtx => ({
  ...ctx,
  actor: { type: "job", id: publicId("plr", id) },
  scopes: new Set<Scope>([...ctx.scopes, "credentials:revoke"]),
});

/** Writes the progress of a run, and adds to its counts. */
export async function advance(
  ctx: TxCtx,
  work: Work,
  to: { phase: Phase; after?: Id<"sub"> },
  counts: Counts,
): Promise<void> {
  await ctx.tx.sql(`UPDATE policy_runs SET phase = $3, after = $4, counts = $5 WHERE org_id = $1 AND id = $2`, [
    ctx.orgId,
    work.id,
    to.phase,
    to.after ?? null,
    added(work.counts, counts),
  ]);
}

const added = (one: Counts, other: Counts): Counts => {
  const sum: Counts = { ...one };
  for (const [action, n] of Object.entries(other)) sum[action as keyof Counts] = (sum[action as keyof Counts] ?? 0) + n;
  return sum;
};

/**
 * Ends a run: writes its status and the policy's, and emits the event.
 * @param policy the new status of the policy, unless it was paused meanwhile; null leaves it, but a policy without a
 *   halted run is not halted any more
 */
export async function end(
  ctx: TxCtx,
  { id, policy_id }: Pick<Work, "id" | "policy_id">,
  status: "completed" | "halted" | "failed",
  policy: Exclude<PolicyStatus, "paused"> | null,
): Promise<void> {
  const [run] = await ctx.tx.sql<RunRow>(
    `UPDATE policy_runs SET status = $3, phase = 'over', after = NULL, waits_for = NULL, finished_at = greatest($4, started_at) WHERE org_id = $1 AND id = $2 RETURNING ${runColumns}`,
    [ctx.orgId, id, status, ctx.now],
  );
  if (policy)
    await ctx.tx.sql(
      `UPDATE policies SET status = $3, halted_at = CASE WHEN $3 = 'halted' THEN coalesce(halted_at, $4) END WHERE org_id = $1 AND id = $2 AND status <> 'paused'`,
      [ctx.orgId, policy_id, policy, ctx.now],
    );
  else
    await ctx.tx.sql(
      `UPDATE policies SET status = 'active', halted_at = NULL WHERE org_id = $1 AND id = $2 AND status = 'halted'
         AND NOT EXISTS (SELECT FROM policy_runs WHERE org_id = $1 AND policy_id = $2 AND status = 'halted')`,
      [ctx.orgId, policy_id],
    );
  const { halt, error } = run!;
  await append(ctx, {
    type: status === "completed" ? "policy.applied" : `policy.${status}`,
    resourceId: id,
    object: {
      object: "policy_run",
      id: publicId("plr", id),
      policyId: publicId("pol", policy_id),
      status,
      counts: countsView(run!.counts),
      halt: halt && { reason: halt.reason, limit: halt.limit, affected: halt.affected },
      error: error && error.message.slice(0, 1000),
    },
  });
  if (status !== "completed") ctx.tx.nudgeAfterCommit("mails");
}

/** Fails a run. Its changes stay, and the rest of its plan is dropped. */
export async function fail(
  ctx: TxCtx,
  work: Pick<Work, "id" | "policy_id">,
  code: string,
  message: string,
): Promise<void> {
  await dropStaged(ctx, [work.id]);
  await ctx.tx.sql(`UPDATE policy_runs SET error = $3 WHERE org_id = $1 AND id = $2`, [
    ctx.orgId,
    work.id,
    { code, message },
  ]);
  await end(ctx, work, "failed", null);
}

/** Deletes the staged rows of runs. */
export async function dropStaged(ctx: TxCtx, runIds: readonly Id<"plr">[]): Promise<void> {
  for (const id of runIds)
    await ctx.tx.sql(
      `UPDATE policy_removals SET state = 'dropped' WHERE org_id = $1 AND run_id = $2 AND state = 'staged'`,
      [ctx.orgId, id],
    );
}

/** Discards the plan of the policy's halted run, so that it can no longer be approved. */
export async function discardHalted(ctx: TxCtx, policyId: Id<"pol">): Promise<void> {
  const halted = await ctx.tx.sql<{ id: Id<"plr"> }>(
    `UPDATE policy_runs SET status = 'discarded' WHERE org_id = $1 AND policy_id = $2 AND status = 'halted' RETURNING id`,
    [ctx.orgId, policyId],
  );
  await dropStaged(
    ctx,
    halted.map(({ id }) => id),
  );
}
