import { queueSql } from "@/server/core/db";

/**
 * Adds the deltas of members that triggers recorded to the counters, in one batch (docs/decisions/208). Readers see the
 * same numbers before and after. Deltas that another process is folding are skipped.
 *
 * @returns how many deltas were folded; less than `batch` means that no more were waiting
 */
export async function foldGroupCounts(batch = 10_000): Promise<number> {
  return (await queueSql<{ n: number }>(fold, [batch]))[0]!.n;
}

// In the order of the counters' key, so that two processes cannot deadlock.
const fold = `
WITH taken AS (
  DELETE FROM group_count_deltas WHERE ctid = ANY(ARRAY(SELECT ctid FROM group_count_deltas ORDER BY org_id, group_id, id LIMIT $1 FOR UPDATE SKIP LOCKED))
  RETURNING org_id, group_id, delta
), summed AS (
  INSERT INTO group_counts AS counted (org_id, group_id, count)
  SELECT org_id, group_id, sum(delta) FROM taken GROUP BY org_id, group_id HAVING sum(delta) <> 0 ORDER BY org_id, group_id
  ON CONFLICT (org_id, group_id) DO UPDATE SET count = counted.count + excluded.count
)
SELECT count(*) AS n FROM taken`;
