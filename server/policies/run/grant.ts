import type { TxCtx } from "@/server/core/context";
import { firstId, lastId, type Id } from "@/server/core/ids";
import { cancelConfirmations } from "@/server/credentials/cancel-confirmations";
import { withinRuleTime } from "@/server/rules/rule-time";
import { sent, type PolicySql } from "../plan/people";
import type { Action, Counts } from "../run-view";
import { renew, resume } from "./change-due";
import { refused, type Granted } from "./granted";
import { issue } from "./issue-due";
import { endedReason } from "./remove";
import { advance, asRun, end, plansFor, type Work } from "./work";

/** People per transaction. Small, so that locks and turns of the event loop stay short. */
const windowSize = 1_000;

/** Issues, resumes and renews the credentials of the next people who should hold one. Ends the run after the last. */
export async function grant(ctx: TxCtx, work: Work): Promise<void> {
  const after = work.after ?? firstId;
  const [last] = await ctx.tx.sql<{ id: Id<"sub"> }>(
    `SELECT id FROM subjects WHERE org_id = $1 AND id > $2 ORDER BY id LIMIT 1 OFFSET $3`,
    [ctx.orgId, after, windowSize - 1],
  );
  const { fresh, refusal: unissued } = await plansFor(ctx, work, ctx.now);
  const plan = fresh();
  const window = { after: after as string, to: (last?.id ?? lastId) as string };
  const text = plan.grants(window);
  const rows = await withinRuleTime(ctx.tx, () => ctx.tx.sql<Granted>(text, ...sent(plan)));
  const of = (action: Action) => rows.filter((row) => row.action === action);
  const acting = asRun(ctx, work);
  await cancelUnwanted(acting, fresh(), window);
  const done = [
    unissued ? refused(unissued, of("issue")) : await issue(acting, work, of("issue")),
    await resume(acting, work, of("resume")),
    await renew(acting, work, of("renew")),
  ];
  const counts: Counts = {
    confirming: of("confirming").length,
    keep: of("keep").length,
    foreign: of("foreign").length,
    blocked: of("blocked").length,
  };
  for (const each of done)
    for (const [action, n] of Object.entries(each.counts))
      counts[action as keyof Counts] = (counts[action as keyof Counts] ?? 0) + n;
  const refusal = done.find((each) => each.refusal)?.refusal;
  if (refusal && !work.refusal)
    await ctx.tx.sql(`UPDATE policy_runs SET refusal = $3 WHERE org_id = $1 AND id = $2`, [
      ctx.orgId,
      work.id,
      refusal,
    ]);
  await advance(ctx, work, { phase: "granting", ...(last && { after: last.id }) }, counts);
  if (!last) await end(ctx, work, "completed", "active");
}

/** Cancels the policy's requests to confirm the name of people who should not hold a credential any more. */
async function cancelUnwanted(ctx: TxCtx, plan: PolicySql, window: { after: string; to: string }): Promise<void> {
  const text = plan.unwantedAsks(window);
  const rows = await withinRuleTime(ctx.tx, () => ctx.tx.sql<{ id: Id<"ncf"> }>(text, ...sent(plan)));
  await cancelConfirmations(
    ctx,
    rows.map(({ id }) => id),
    endedReason,
  );
}
