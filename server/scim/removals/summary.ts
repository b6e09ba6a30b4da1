import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { firstId, publicId, type Id } from "@/server/core/ids";
import { query } from "@/server/core/operation";
import { opaque } from "@/server/core/opaque";
import { loadScimConnector } from "../connection";
import { isDue } from "./due";
import { decisionInput, mostAtOnce } from "./take-staged";

/** The effects of a decision on staged removals, in numbers. */
interface Summary {
  people: number;
  /** People whom the directory deactivated. */
  deactivated: number;
  /** People whom the directory deleted. */
  deleted: number;
  /** Memberships of groups. */
  memberships: number;
  /** Active credentials that policies may end after an approval: those of people who still match a policy stay. */
  credentials: number;
}

/**
 * Counts what an approval of staged removals would do: of the chosen ones, or of all, the oldest first, up to the
 * maximum of one decision.
 */
export const summariseStagedRemovals = query({
  name: "connectors.staged.summary",
  scope: "connectors:read",
  alsoScope: "subjects:read",
  input: decisionInput.pick({ id: true, removals: true }),
  async run(ctx, { id, removals }): Promise<Summary> {
    const connection = await loadScimConnector(ctx, id);
    const policies = await endingPolicies(ctx);
    const [row] = await reading(ctx).sql<Summary>(select, [
      ctx.orgId,
      connection.id,
      removals?.map(({ subjectId }) => subjectId) ?? null,
      removals?.map(({ groupId }) => groupId) ?? null,
      policies.map((policy) => policy.source),
      policies.flatMap((policy) => policy.groups.map(() => policy.source)),
      policies.flatMap((policy) => policy.groups),
      ctx.now,
    ]);
    return row!;
  },
});

const select = `
WITH chosen AS MATERIALIZED (
  SELECT subject_id, group_id, cause FROM scim_removals r
  WHERE org_id = ${opaque("$1")} AND connector_id = $2 AND state = 'staged' AND ${isDue("r")}
    AND ($3::uuid[] IS NULL OR (subject_id, coalesce(group_id, '${firstId}')) IN (
      SELECT wanted.subject_id, coalesce(wanted.group_id, '${firstId}') FROM unnest($3, $4::uuid[]) AS wanted (subject_id, group_id)))
  ORDER BY id LIMIT ${mostAtOnce}
)
SELECT count(DISTINCT subject_id) AS people, count(*) FILTER (WHERE cause = 'status') AS deactivated,
  count(*) FILTER (WHERE cause = 'deleted') AS deleted, count(*) FILTER (WHERE cause = 'member') AS memberships,
  (SELECT count(DISTINCT held.id) FROM chosen CROSS JOIN LATERAL (
     SELECT id, source_id FROM credentials WHERE org_id = ${opaque("$1")} AND subject_id = chosen.subject_id
       AND source_type = 'policy' AND state = 'active' AND (expires_at IS NULL OR expires_at > $8) OFFSET 0
   ) held
   WHERE CASE WHEN chosen.cause = 'member'
     THEN (held.source_id, chosen.group_id) IN (SELECT * FROM unnest($6::text[], $7::uuid[]))
     ELSE held.source_id = ANY($5::text[]) END) AS credentials
FROM chosen`;

/** The policies that end credentials, each with the groups on whose members it depends (feedsPolicy). */
async function endingPolicies(ctx: Ctx): Promise<{ source: string; groups: Id<"grp">[] }[]> {
  const rows = await reading(ctx).sql<{ id: Id<"pol">; groups: Id<"grp">[] }>(
    `SELECT p.id, ARRAY(
       SELECT p.group_id WHERE p.group_id IS NOT NULL
       UNION SELECT unnest(p.rule_group_ids)
       UNION SELECT unnest(g.rule_group_ids) FROM groups g WHERE g.org_id = p.org_id AND g.id = p.group_id
     ) AS groups
     FROM policies p WHERE p.org_id = $1 AND p.deleted_at IS NULL AND p.on_exit <> 'none'`,
    [ctx.orgId],
  );
  return rows.map(({ id, groups }) => ({ source: publicId("pol", id), groups }));
}
