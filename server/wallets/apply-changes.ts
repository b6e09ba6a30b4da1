import { advisoryLocks } from "@/server/core/advisory-locks";
import { queuePool } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { transaction } from "@/server/core/transaction";

/** How many changes one transaction processes. */
const batch = 500;

/**
 * Gives the passes of changed credentials a new revision: queues a message to each phone with Apple Wallet, and an update
 * of each pass at Google. If the transaction fails, its changes stay for the next one. An advisory lock lets one
 * transaction run at a time, so that revision numbers follow the order of commits: otherwise a phone that asks for
 * revisions above its own could miss one that commits late.
 *
 * @returns `taken`, how many changes were processed; `more`, whether further changes may wait
 */
export function applyWalletChanges(now: Date): Promise<{ taken: number; more: boolean }> {
  return transaction(async (tx) => {
    await tx.sql(`SELECT pg_advisory_xact_lock($1)`, [advisoryLocks.walletChanges]);
    const taken = await tx.sql<Taken>(take, [batch]);
    const values = [taken.map(({ org_id }) => org_id), taken.map(({ credential_id }) => credential_id)];
    await tx.sql(revise, values);
    // A separate statement after `revise` has locked the passes, so that it sees phones that registered in between.
    await tx.sql(announce, [...values, now]);
    await tx.sql(makeDue, [...values, now]);
    return { taken: taken.length, more: taken.length === batch };
  }, queuePool());
}

interface Taken {
  org_id: Id<"org">;
  credential_id: Id<"crd">;
}

const take = `
DELETE FROM wallet_changes WHERE ctid = ANY(ARRAY(SELECT ctid FROM wallet_changes ORDER BY id LIMIT $1))
RETURNING org_id, credential_id`;

const changed = `(SELECT DISTINCT org_id, credential_id FROM unnest($1::uuid[], $2::uuid[]) AS taken (org_id, credential_id))`;

const revise = `
WITH changed AS MATERIALIZED (SELECT *, row_number() OVER () AS place FROM ${changed} AS each),
newest AS MATERIALIZED (
  SELECT greatest((SELECT max(revision) FROM apple_passes), floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) AS revision
)
UPDATE apple_passes p SET revision = newest.revision + changed.place,
  revised_at = greatest(date_trunc('second', clock_timestamp()), p.revised_at + interval '1 second')
FROM changed, newest WHERE p.org_id = changed.org_id AND p.credential_id = changed.credential_id`;

const announce = `
UPDATE apple_devices d SET state = 'pending', attempts = 0, next_attempt_at = $3, wanted_at = $3, claim_id = NULL, lease_until = NULL
FROM ${changed} AS changed WHERE d.org_id = changed.org_id AND d.credential_id = changed.credential_id`;

/** Leaves the claim of an update in progress; its revision is now old, so another update follows (google/update-passes.ts). */
const makeDue = `
UPDATE google_passes p SET revision = p.revision + 1, state = 'pending', attempts = 0, next_attempt_at = $3,
  wanted_at = CASE WHEN p.state = 'pending' THEN p.wanted_at ELSE $3 END
FROM ${changed} AS changed WHERE p.org_id = changed.org_id AND p.credential_id = changed.credential_id`;
