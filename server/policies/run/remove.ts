import type { TxCtx } from "@/server/core/context";
import { publicId, type Id } from "@/server/core/ids";
import { opaque } from "@/server/core/opaque";
import { applyClock } from "@/server/credentials/apply-clock";
import { lockCredentials } from "@/server/credentials/load";
import { transition } from "@/server/credentials/transition";
import { withinRuleTime } from "@/server/rules/rule-time";
import { sent } from "../plan/people";
import { advance, asRun, planOf, type Work } from "./work";

const setSize = 1_000;

interface Staged {
  subject_id: Id<"sub">;
  credential_id: Id<"crd">;
  action: "suspend" | "revoke";
}

/** The public reason of credentials that a policy ends. */
export const endedReason = "The holder no longer meets the conditions for this credential.";

/**
 * Ends the next set of staged credentials, and drops those that are no longer due: their holder matches by now, or
 * another policy has taken the credential over since the plan was made (docs/decisions/549).
 */
export async function remove(ctx: TxCtx, work: Work): Promise<void> {
  const rows = await ctx.tx.sql<Staged>(
    `SELECT subject_id, credential_id, action FROM policy_removals WHERE org_id = $1 AND run_id = $2 AND state = 'staged' ORDER BY subject_id LIMIT ${setSize}`,
    [ctx.orgId, work.id],
  );
  if (rows.length === 0) return advance(ctx, work, { phase: "granting" }, {});
  const { action } = rows[0]!;
  const locked = await lockCredentials(
    ctx,
    rows.map((row) => row.credential_id),
  );
  const due = await stillDue(ctx, work, rows);
  const source = publicId("pol", work.policy_id);
  const live = (
    await applyClock(
      asRun(ctx, work),
      [...locked.values()].filter(({ id }) => due.has(id)),
    )
  ).filter(
    ({ state, source_id }) =>
      source_id === source && (action === "suspend" ? ["active"] : ["pending", "active", "suspended"]).includes(state),
  );
  await transition(
    asRun(ctx, work),
    live.map((row) => ({ row, reason: endedReason, byPolicy: true })),
    action,
  );
  await ctx.tx.sql(
    `UPDATE policy_removals SET state = CASE WHEN subject_id = ANY($4::uuid[]) THEN 'applied' ELSE 'dropped' END,
       applied_at = CASE WHEN subject_id = ANY($4::uuid[]) THEN $5::timestamptz END
     WHERE org_id = $1 AND run_id = $2 AND subject_id = ANY($3::uuid[])`,
    [ctx.orgId, work.id, rows.map((row) => row.subject_id), live.map((row) => row.subject_id), ctx.now],
  );
  await advance(ctx, work, { phase: "removing" }, { [action]: live.length });
}

/**
 * Returns the credentials whose holders do not match now. Called after they are locked, because the step may have
 * waited for the locks.
 */
async function stillDue(ctx: TxCtx, work: Work, rows: Staged[]): Promise<Set<Id<"crd">>> {
  const plan = (await planOf(ctx, work, ctx.now))();
  const [subjects, credentials] = [
    plan.parameter(rows.map((row) => row.subject_id)),
    plan.parameter(rows.map((row) => row.credential_id)),
  ];
  const isWanted = plan.wanted();
  const due = await withinRuleTime(ctx.tx, () =>
    ctx.tx.sql<{ credential_id: Id<"crd"> }>(
      `SELECT removal.credential_id FROM unnest(${subjects}::uuid[], ${credentials}::uuid[]) AS removal (subject_id, credential_id)
       CROSS JOIN LATERAL (SELECT * FROM subjects WHERE org_id = ${opaque("$1")} AND id = removal.subject_id OFFSET 0) s
       WHERE ${isWanted} IS NOT TRUE`,
      ...sent(plan),
    ),
  );
  return new Set(due.map((row) => row.credential_id));
}
