import { shareOf, windowStart } from "@/server/core/blast-radius";
import type { Query } from "@/server/core/db";
import { publicId } from "@/server/core/ids";
import type { Halt } from "../run-view";
import { causesOf } from "./causes";
import { plain, sent, type PolicySql } from "./people";

/** This many removals always pass, so that a policy with few holders needs no approvals. */
const alwaysPass = 5;

/** The limit of removals within 24 hours, and how much of it is used. */
export interface Radius {
  limit: number;
  recent: number;
  holders: number;
}

/**
 * Counts people, not credentials: somebody who lost a credential and got it back counts once as a holder and once as a
 * removal. Approved removals do not count as recent (decision 327), but their people count as holders before.
 */
export async function radiusOf(sql: Query, { policyId, config, clock, values }: PolicySql): Promise<Radius> {
  const [counted] = await sql<{ recent: number; left: number; gone: number }>(
    `WITH removed AS (
       SELECT r.subject_id, bool_or(NOT run.approved) AS recent FROM policy_removals r
       CROSS JOIN LATERAL (SELECT approved FROM policy_runs WHERE org_id = $1 AND id = r.run_id OFFSET 0) run
       WHERE r.org_id = $1 AND r.policy_id = $2 AND r.applied_at > $4 GROUP BY r.subject_id
     ), holding AS (
       SELECT DISTINCT c.subject_id FROM credentials c WHERE c.org_id = $1 AND c.source_type = 'policy' AND c.source_id = $3
         AND c.state IN ('pending', 'active') AND (c.expires_at IS NULL OR c.expires_at > $5)
     )
     SELECT (SELECT count(*) FROM removed WHERE recent) AS recent, (SELECT count(*) FROM holding) AS left,
       (SELECT count(*) FROM removed WHERE subject_id NOT IN (SELECT subject_id FROM holding)) AS gone`,
    [values[0], policyId, publicId("pol", policyId), windowStart(clock.now), clock.now],
  );
  const { recent, left, gone } = counted!;
  const { percent, count } = config.blastRadius;
  return {
    recent,
    holders: left + gone,
    limit: Math.max(alwaysPass, Math.min(count, shareOf({ left, removed: gone }, percent))),
  };
}

/**
 * Decides whether a plan that ends `affected` credentials needs an approval (contract section 12). A plan that ends none
 * never does, even if more were ended today than a lowered limit allows.
 * @param fresh makes a PolicySql for the next statement
 */
export async function haltOf(
  sql: Query,
  fresh: () => PolicySql,
  affected: number,
  radius: Radius,
): Promise<Halt | null> {
  const reason = (await hasCollapsed(sql, fresh, radius))
    ? "collapse"
    : affected > 0 && radius.recent + affected > radius.limit
      ? "limit"
      : null;
  if (reason === null) return null;
  const before = radius.recent > 0 ? `, after ${plain(radius.recent)} in the last 24 hours` : "";
  return {
    reason,
    ...radius,
    affected,
    message:
      reason === "collapse"
        ? `Nobody matches the rule any more, and ${plain(radius.holders)} ${radius.holders === 1 ? "person holds" : "people hold"} a credential by it.`
        : `${plain(affected)} credentials would be ended${before}. Up to ${plain(radius.limit)} within 24 hours need no approval.`,
    causes: await causesOf(sql, fresh),
  };
}

/**
 * Halts a run that waited for a connector's file and would now end credentials that the confirmed preview did not name.
 * Its request was answered long ago, so 409 plan_changed is no longer possible (docs/decisions/419).
 */
export async function changedSinceConfirmed(
  sql: Query,
  fresh: () => PolicySql,
  affected: number,
  radius: Radius,
): Promise<Halt> {
  const [would, more] =
    affected === 1
      ? ["1 credential", "the preview did not name it"]
      : [`${plain(affected)} credentials`, "the preview did not name all of them"];
  return {
    reason: "changed",
    ...radius,
    affected,
    message: `While this run waited for a file, people's data has changed since the preview that was confirmed: it would end ${would} now, and ${more}. Look at the names, then approve this run, or look at the preview and apply the policy again.`,
    causes: await causesOf(sql, fresh),
  };
}

/** Whether nobody matches any more, and a credential ends by it now or a person's grace begins. */
async function hasCollapsed(sql: Query, fresh: () => PolicySql, { holders }: Radius): Promise<boolean> {
  if (holders === 0) return false;
  const matching = fresh();
  const [any] = await sql<{ some: boolean }>(
    `SELECT EXISTS (SELECT FROM subjects s WHERE s.org_id = $1 AND ${matching.matches()}) AS some`,
    ...sent(matching),
  );
  if (any!.some) return false;
  const exits = fresh();
  const text = exits.exits({ grace: false });
  const [ends] = await sql<{ some: boolean }>(`SELECT EXISTS (${text}) AS some`, ...sent(exits));
  return ends!.some;
}
