import { queueSql } from "@/server/core/db";

/**
 * Adds the deltas that triggers recorded to the counters, in one batch of each kind (docs/decisions/208). Readers see
 * the same numbers before and after, since a statement that reads both tables has one snapshot. Deltas that another
 * process is folding are skipped.
 * @returns how many deltas were folded. Less than `batch` means that fewer than `batch` of each kind were waiting.
 */
export async function foldCredentialCounts(batch = 10_000): Promise<number> {
  const folded = await Promise.all(
    [foldStates, foldActions].map(async (statement) => (await queueSql<{ n: number }>(statement, [batch]))[0]!.n),
  );
  return Math.max(...folded);
}

// In the order of the counters' key, so that two processes cannot deadlock.
const fold = (deltas: string, counts: string, key: string) => `
WITH taken AS (
  DELETE FROM ${deltas} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${deltas} ORDER BY org_id, id LIMIT $1 FOR UPDATE SKIP LOCKED)) RETURNING ${key}, delta
), summed AS (
  INSERT INTO ${counts} AS counted (${key}, count)
  SELECT ${key}, sum(delta) FROM taken GROUP BY ${key} HAVING sum(delta) <> 0 ORDER BY ${key}
  ON CONFLICT (${key}) DO UPDATE SET count = counted.count + excluded.count
)
SELECT count(*) AS n FROM taken`;

const foldStates = fold("credential_count_deltas", "credential_counts", "org_id, template_id, state");
const foldActions = fold("credential_action_deltas", "credential_action_counts", "org_id, period, action");
