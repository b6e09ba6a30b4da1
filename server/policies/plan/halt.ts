import { shareOf, windowStart } from "@/server/core/blast-radius";
import type { Query } from "@/server/core/db";
import { publicId, type Id } from "@/server/core/ids";
import { opaque } from "@/server/core/opaque";
import type { Halt } from "../run-view";
import { causesOf } from "./causes";
import { plain, sent, type PolicySql } from "./people";
import type { Removal } from "./plan-hash";

/** The limit is never lower, so that a policy with few holders needs no approvals. A collapse halts nevertheless. */
const alwaysPass = 5;

/** The limit of removals within 24 hours, and how much of it is used. */
export interface Radius {
  limit: number;
  recent: number;
  holders: number;
}

/** What the limit of a plan is compared with, and what its halt says. */
export interface Counted {
  radius: Radius;
  /** The people who hold a valid credential now. */
  holding: number;
  /** The people who lost one within the window without an approval, also those whom the plan concerns again. */
  lost: number;
}

/**
 * Counts people, not credentials: somebody who lost a credential and got it back counts once as a holder and once as a
 * removal. Approved removals do not count as recent (decision 327), but their people count as holders before. The base is
 * the holders at the window's start, so that a feed that adds many people does not raise the limit for the others; where
 * there were none, it is everybody who has held one since (docs/decisions/551).
 *
 * @param removals what the plan ends. Whoever lost the same credential within the window, as somebody whose suspended one
 *   is revoked now, is counted in the plan only, not in `recent`.
 */
export async function radiusOf(sql: Query, plan: PolicySql, removals: readonly Removal[]): Promise<Counted> {
  const { policyId, config, clock, values } = plan;
  const isHeld = `c.source_type = 'policy' AND c.source_id = $3 AND c.state IN ('pending', 'active') AND (c.expires_at IS NULL OR c.expires_at > $5)`;
  // A credential that replaced another one counts as that one.
  const isOld = "(created_at <= $4 OR supersedes IS NOT NULL)";
  // A person holds at most one credential of the policy. People who lost one are looked up one by one: if the two sets
  // were compared, PostgreSQL would read all holders for each of them once its statistics know how many there are.
  const [counted] = await sql<{ recent: number; before: number; since: number; holding: number }>(
    `WITH removed AS (
       SELECT r.subject_id, bool_or(NOT run.approved) AS recent, bool_or(ended.old) AS old FROM policy_removals r
       CROSS JOIN LATERAL (SELECT approved FROM policy_runs WHERE org_id = $1 AND id = r.run_id OFFSET 0) run
       CROSS JOIN LATERAL (SELECT ${isOld} AS old FROM credentials WHERE org_id = ${opaque("$1")} AND id = r.credential_id OFFSET 0) ended
       WHERE r.org_id = $1 AND r.policy_id = $2 AND r.applied_at > $4 GROUP BY r.subject_id
     ), lost AS (
       SELECT count(*) FILTER (WHERE recent) AS recent, count(*) FILTER (WHERE removed.old AND held.old IS NOT TRUE) AS old, count(*) FILTER (WHERE held.old IS NULL) AS n
       FROM removed LEFT JOIN LATERAL (
         SELECT ${isOld} AS old FROM (SELECT * FROM credentials WHERE org_id = ${opaque("$1")} AND subject_id = removed.subject_id OFFSET 0) c WHERE ${isHeld} LIMIT 1
       ) held ON true
     ), holding AS (
       SELECT count(*) FILTER (WHERE ${isOld}) AS old, count(*) AS n FROM credentials c WHERE c.org_id = $1 AND ${isHeld}
     )
     SELECT lost.recent, holding.old + lost.old AS before, holding.n + lost.n AS since, holding.n AS holding FROM lost, holding`,
    [values[0], policyId, publicId("pol", policyId), windowStart(clock.now), clock.now],
  );
  const { recent: lost, before, since, holding } = counted!;
  const again = lost > 0 && removals.length > 0 ? await endedAgain(sql, plan, removals) : 0;
  const { percent, count } = config.blastRadius;
  const holders = before > 0 ? before : since;
  const limit = Math.max(alwaysPass, Math.min(count, shareOf({ left: holders, removed: 0 }, percent)));
  return { radius: { recent: lost - again, holders, limit }, holding, lost };
}

/** Counts the people whose credential the removals end and the policy already ended within the window without an approval. */
async function endedAgain(
  sql: Query,
  { policyId, clock, values }: PolicySql,
  removals: readonly Removal[],
): Promise<number> {
  const ended = await sql<{ id: Id<"crd">; subject_id: Id<"sub"> }>(
    `SELECT DISTINCT r.subject_id, r.credential_id AS id FROM policy_removals r
     CROSS JOIN LATERAL (SELECT approved FROM policy_runs WHERE org_id = $1 AND id = r.run_id OFFSET 0) run
     WHERE r.org_id = $1 AND r.policy_id = $2 AND r.applied_at > $3 AND NOT run.approved`,
    [values[0], policyId, windowStart(clock.now)],
  );
  const planned = new Set(removals.map(({ credential_id }) => credential_id));
  return new Set(ended.filter(({ id }) => planned.has(id)).map(({ subject_id }) => subject_id)).size;
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
  counted: Counted,
): Promise<Halt | null> {
  const { radius } = counted;
  const reason = (await hasCollapsed(sql, fresh))
    ? "collapse"
    : affected > 0 && radius.recent + affected > radius.limit
      ? "limit"
      : null;
  if (reason === null) return null;
  return {
    reason,
    ...radius,
    affected,
    message:
      reason === "collapse"
        ? collapseMessage(affected, counted)
        : `${wouldEnd(affected, radius)}. Up to ${plain(radius.limit)} within 24 hours need no approval.`,
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

function wouldEnd(affected: number, { recent }: Radius): string {
  const before = recent > 0 ? `, after ${plain(recent)} in the last 24 hours` : "";
  return `${plain(affected)} ${affected === 1 ? "credential" : "credentials"} would be ended${before}`;
}

/**
 * Where nobody holds a valid one, the collapse would revoke suspended ones for good. The base of the limit includes
 * people who lost theirs in the last 24 hours, so the message says who holds one only where nobody lost one.
 */
function collapseMessage(affected: number, { radius, holding, lost }: Counted): string {
  const { holders } = radius;
  const people = (holds: string, hold: string) =>
    `${plain(holders)} ${holders === 1 ? holds : hold} a credential by it`;
  const suspended = `${plain(affected)} suspended ${affected === 1 ? "credential" : "credentials"} would be revoked`;
  const by =
    holding === 0 && affected > 0
      ? suspended
      : lost === 0
        ? people("person holds", "people hold")
        : affected > 0
          ? wouldEnd(affected, radius)
          : `${people("person held", "people held")} within the last 24 hours`;
  return `Nobody matches the rule any more, and ${by}.`;
}

/** Whether nobody matches any more, and as a result a credential ends now or a person's grace begins. */
async function hasCollapsed(sql: Query, fresh: () => PolicySql): Promise<boolean> {
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
