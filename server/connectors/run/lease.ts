import { standingOf } from "@/server/access/standing";
import type { TxCtx } from "@/server/core/context";
import { sql } from "@/server/core/db";
import { newId, type Id } from "@/server/core/ids";
import { isLeaseOver } from "@/server/reactions/lease-over";
import { jobLease } from "@/server/reactions/leased-job";
import { stopRun } from "./stop";
import { workColumns, type RunMandate, type Work } from "./work";

/** The duration of a lease in milliseconds: how long a run waits after its process was killed. */
export const leaseMs = 60_000;

/** A run that one process has leased for work outside of the database. */
export interface Claimed extends Work {
  claim_id: Id<"req">;
}

/** The most leased runs of one organisation, so that slow sources do not delay other organisations. */
const atOnce = 3;

/** Leases the next run that waits for a file. */
export const claimRun = (now: Date) =>
  sql<Claimed>(claim, [now, newId("req"), new Date(now.getTime() + leaseMs)]).then(([work]) => work);

const claim = `
UPDATE connector_runs SET status = 'running', started_at = coalesce(started_at, $1), attempts = attempts + 1, served_at = $1, claim_id = $2, lease_until = $3
WHERE (org_id, id) = (
  SELECT run.org_id, run.id FROM connector_runs run WHERE phase IN ('fetching', 'unpacking') AND status IN ('queued', 'running') AND ${isLeaseOver("$1", "run")}
  AND NOT EXISTS (SELECT 1 FROM organisations o WHERE o.id = run.org_id AND o.suspended_at IS NOT NULL)
  AND NOT EXISTS (
    SELECT 1 FROM connector_runs earlier
    WHERE earlier.org_id = run.org_id AND earlier.connector_id = run.connector_id AND earlier.id < run.id AND earlier.status IN ('queued', 'running'))
  AND (run.phase = 'unpacking' OR NOT EXISTS (SELECT 1 FROM connector_runs filed WHERE filed.org_id = run.org_id AND filed.connector_id = run.connector_id AND filed.filing_at IS NOT NULL))
  AND (SELECT count(*) FROM connector_runs other WHERE other.org_id = run.org_id AND other.phase IN ('fetching', 'unpacking') AND other.status = 'running' AND other.lease_until > $1) < ${atOnce}
  ORDER BY (SELECT max(served_at) FROM connector_runs other WHERE other.org_id = run.org_id) NULLS FIRST, created_at, id
  LIMIT 1 FOR UPDATE OF run SKIP LOCKED)
RETURNING ${workColumns}, claim_id`;

const lease = jobLease("connector_runs");

/** Returns false if this process no longer holds the lease. */
export const extendLease = (work: Claimed) => lease.extend(work, new Date(Date.now() + leaseMs));

/** Locks the run. Returns false if this process no longer holds the lease. */
export const holds = lease.holds;

export type FetchMandate = RunMandate<Claimed>;

/** The properties that all commands of a leased run share. */
export const job = {
  standing: standingOf,
  stop: async (ctx: TxCtx, { work }: FetchMandate, why: string) => {
    await stopRun(ctx, work, why);
    return null;
  },
};
