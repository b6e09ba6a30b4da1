import type { TxCtx } from "@/server/core/context";
import { publicId, type Id } from "@/server/core/ids";
import { opaque } from "@/server/core/opaque";
import { sent, type PolicySql } from "../plan/people";

/**
 * Returns a connector's run that is held or partly applied, if the connector provides a person of the policy: a holder
 * of its credential, or a person who would get one or have one resumed or renewed. Until that run has ended, the stored
 * data of these people differs from the feed: a file that moves people from one group to another may have removed them
 * only from the first (docs/decisions/580).
 */
export async function unfinishedRun(
  ctx: TxCtx,
  policyId: Id<"pol">,
  fresh: () => PolicySql,
): Promise<Id<"run"> | undefined> {
  const unfinished = await ctx.tx.sql<{ id: Id<"run">; connector_id: Id<"con"> }>(
    `SELECT id, connector_id FROM connector_runs WHERE org_id = $1 AND status = 'held'
     UNION ALL
     SELECT id, connector_id FROM connector_runs WHERE org_id = $1 AND status IN ('queued', 'running')
       AND phase IN ('applying', 'grouping', 'removing', 'undoing', 'finishing')`,
    [ctx.orgId],
  );
  // Look up who matches only while there is such a run, because among a million people that takes seconds.
  for (const run of unfinished.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
    if (
      (await providesHolder(ctx, policyId, run.connector_id)) ||
      (await providesGranted(ctx, fresh(), run.connector_id))
    )
      return run.id;
  return undefined;
}

const provides = (subject: string, connector: string) =>
  `EXISTS (SELECT FROM subject_sources o WHERE o.org_id = ${opaque("$1")} AND o.subject_id = ${subject} AND o.source_id = ${connector} OFFSET 0)`;

async function providesHolder(ctx: TxCtx, policyId: Id<"pol">, connectorId: Id<"con">): Promise<boolean> {
  const [row] = await ctx.tx.sql<{ some: boolean }>(
    `SELECT EXISTS (
       SELECT FROM credentials c WHERE c.org_id = $1 AND c.source_type = 'policy' AND c.source_id = $2
         AND c.state IN ('pending', 'active', 'suspended') AND ${provides("c.subject_id", "$3")}
     ) AS some`,
    [ctx.orgId, publicId("pol", policyId), connectorId],
  );
  return row!.some;
}

async function providesGranted(ctx: TxCtx, plan: PolicySql, connectorId: Id<"con">): Promise<boolean> {
  const connector = `${plan.parameter(connectorId)}::uuid`;
  const grants = plan.grants();
  const [row] = await ctx.tx.sql<{ some: boolean }>(
    `SELECT EXISTS (
       SELECT FROM (${grants}) granted WHERE action IN ('issue', 'resume', 'renew') AND ${provides("granted.subject_id", connector)}
     ) AS some`,
    ...sent(plan),
  );
  return row!.some;
}
