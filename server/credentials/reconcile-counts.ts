import { queueSql, sql } from "@/server/core/db";
import { earliestId, publicId, type Id } from "@/server/core/ids";
import { log } from "@/server/core/log";

const days = 35;

/**
 * Recounts the credentials of every organisation, and their events of the last 35 days, and corrects counters that
 * differ. Needed after a data load that bypassed the triggers, such as a restore with `session_replication_role =
 * replica`. Commands may run at the same time. Logs what it corrects.
 * @returns how many counters it corrected
 */
export async function reconcileCredentialCounts(now: Date): Promise<number> {
  let corrected = 0;
  const since = new Date(Math.floor(now.getTime() / quarterMs) * quarterMs - days * 86_400_000);
  for (const { orgId } of await sql<{ orgId: Id<"org"> }>(`SELECT id AS "orgId" FROM organisations`)) {
    const states = await queueSql<{ template_id: Id<"tpl">; state: string; delta: number }>(correctStates, [orgId]);
    const actions = await queueSql(correctActions, [orgId, since, earliestId("crh", since)]);
    if (states.length + actions.length > 0)
      log().warn(
        {
          orgId: publicId("org", orgId),
          states: states.map((each) => ({ ...each, template_id: publicId("tpl", each.template_id) })),
          actions,
        },
        "counters of credentials were wrong and were corrected",
      );
    corrected += states.length + actions.length;
  }
  return corrected;
}

const quarterMs = 900_000;

// One statement has one snapshot, so neither count includes a transaction that commits in the meantime.
const correct = (deltas: string, key: string, counted: string, known: string) => `
WITH counted AS (${counted}), known AS (SELECT ${key}, sum(n)::bigint AS n FROM (${known}) AS parts GROUP BY ${key})
INSERT INTO ${deltas} (org_id, ${key}, delta)
SELECT $1, ${key}, coalesce(counted.n, 0) - coalesce(known.n, 0) FROM counted FULL JOIN known USING (${key})
WHERE coalesce(counted.n, 0) <> coalesce(known.n, 0)
RETURNING ${key}, delta`;

const correctStates = correct(
  "credential_count_deltas",
  "template_id, state",
  "SELECT template_id, state, count(*) AS n FROM credentials WHERE org_id = $1 GROUP BY template_id, state",
  "SELECT template_id, state, count AS n FROM credential_counts WHERE org_id = $1 UNION ALL SELECT template_id, state, delta FROM credential_count_deltas WHERE org_id = $1",
);

const correctActions = correct(
  "credential_action_deltas",
  "period, action",
  `SELECT date_bin('15 minutes', created_at, 'epoch') AS period, action, count(*) AS n FROM credential_history
   WHERE org_id = $1 AND id >= $3 AND created_at >= $2 AND action IN ('issued', 'suspended', 'revoked') GROUP BY 1, 2`,
  "SELECT period, action, count AS n FROM credential_action_counts WHERE org_id = $1 AND period >= $2 UNION ALL SELECT period, action, delta FROM credential_action_deltas WHERE org_id = $1 AND period >= $2",
);
