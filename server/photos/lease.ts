import type { Actor } from "@/server/core/context";
import { sql } from "@/server/core/db";
import { newId, publicId, type Id } from "@/server/core/ids";
import type { Mandate } from "@/server/core/operation";
import type { Scope } from "@/server/core/scopes";
import { isLeaseOver } from "@/server/reactions/lease-over";
import { jobLease } from "@/server/reactions/leased-job";
import { importColumns, type ImportRow } from "./view";

/** The duration of a lease in milliseconds: how long an import waits after its process was killed. */
export const leaseMs = 60_000;

/** An import that one process has leased. */
export interface ClaimedImport extends ImportRow {
  org_id: Id<"org">;
  actor: Actor;
  scopes: Scope[];
  access_token: string | null;
  sha256: string;
  claim_id: Id<"req">;
  /** How often the next photo was begun, including this time. */
  attempts: number;
}

/**
 * Leases the next import. Organisations take turns. Of each organisation, one import is processed at a time, the oldest
 * first.
 */
export const claimImport = (now: Date): Promise<ClaimedImport | undefined> =>
  sql<ClaimedImport>(claim, [now, newId("req"), new Date(now.getTime() + leaseMs)]).then(([work]) => work);

const claim = `
UPDATE photo_imports SET status = 'running', started_at = coalesce(started_at, $1), attempts = attempts + 1, served_at = $1, claim_id = $2, lease_until = $3
WHERE (org_id, id) = (
  SELECT i.org_id, i.id FROM photo_imports i WHERE i.status IN ('queued', 'running') AND ${isLeaseOver("$1", "i")}
  AND NOT EXISTS (SELECT 1 FROM organisations o WHERE o.id = i.org_id AND o.suspended_at IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM photo_imports earlier WHERE earlier.org_id = i.org_id AND earlier.id < i.id AND earlier.status IN ('queued', 'running'))
  ORDER BY (SELECT max(served_at) FROM photo_imports other WHERE other.org_id = i.org_id) NULLS FIRST, i.created_at, i.id
  LIMIT 1 FOR UPDATE OF i SKIP LOCKED)
RETURNING org_id, actor, scopes, access_token, sha256, claim_id, attempts, ${importColumns}`;

const lease = jobLease("photo_imports");

/** Returns false if this process no longer holds the lease. */
export const extendLease = (work: ClaimedImport) => lease.extend(work, new Date(Date.now() + leaseMs));

/** Locks the import. Returns false if this process no longer holds the lease. */
export const holdsImport = lease.holds;

/**
 * Releases an import until `at`.
 *
 * @param hasFailed whether the attempt counts: after a number of attempts, the photo is rejected
 */
export async function releaseImport(
  { org_id, id, claim_id }: ClaimedImport,
  at: Date,
  hasFailed = false,
): Promise<void> {
  await sql(
    `UPDATE photo_imports SET lease_until = $4, claim_id = NULL, attempts = CASE WHEN $5 THEN attempts ELSE 0 END
     WHERE org_id = $1 AND id = $2 AND claim_id = $3 AND status = 'running'`,
    [org_id, id, claim_id, at, hasFailed],
  );
}

export interface ImportMandate extends Mandate {
  work: ClaimedImport;
}

/** The actor and the rights with which an import acts. */
export const mandateOf = (work: ClaimedImport): ImportMandate => ({
  work,
  orgId: work.org_id,
  id: publicId("phi", work.id),
  actor: work.actor,
  accessToken: work.access_token ?? undefined,
  scopes: work.scopes,
  needs: "subjects:write",
});
