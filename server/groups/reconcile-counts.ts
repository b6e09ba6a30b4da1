import { queueSql, sql } from "@/server/core/db";
import { publicId, type Id } from "@/server/core/ids";
import { log } from "@/server/core/log";

/**
 * Counts the members of every group, and corrects counters that differ. Needed after a data load that bypassed the
 * triggers, such as a restore with `session_replication_role = replica`. Commands may run at the same time. Logs what
 * it corrects.
 *
 * @returns how many counters it corrected
 */
export async function reconcileGroupCounts(): Promise<number> {
  let corrected = 0;
  for (const { orgId } of await sql<{ orgId: Id<"org"> }>(`SELECT id AS "orgId" FROM organisations`)) {
    const groups = await queueSql<{ group_id: Id<"grp">; delta: number }>(correct, [orgId]);
    if (groups.length > 0)
      log().warn(
        {
          orgId: publicId("org", orgId),
          groups: groups.map(({ group_id, delta }) => ({ groupId: publicId("grp", group_id), delta })),
        },
        "counters of group members were wrong and were corrected",
      );
    corrected += groups.length;
  }
  return corrected;
}

// One statement has one snapshot, so neither count includes a transaction that commits in the meantime.
const correct = `
WITH counted AS (
  SELECT group_id, count(*) AS n FROM group_members WHERE org_id = $1 GROUP BY group_id
), known AS (
  SELECT group_id, sum(n)::bigint AS n FROM (
    SELECT group_id, count AS n FROM group_counts WHERE org_id = $1
    UNION ALL SELECT group_id, delta FROM group_count_deltas WHERE org_id = $1
  ) AS parts GROUP BY group_id
)
INSERT INTO group_count_deltas (org_id, group_id, delta)
SELECT $1, group_id, coalesce(counted.n, 0) - coalesce(known.n, 0) FROM counted FULL JOIN known USING (group_id)
WHERE coalesce(counted.n, 0) <> coalesce(known.n, 0)
RETURNING group_id, delta`;
