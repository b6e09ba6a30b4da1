import { audit } from "@/server/access/audit";
import type { TxCtx } from "@/server/core/context";
import { publicId, type Id } from "@/server/core/ids";
import { command } from "@/server/core/operation";
import { loadScimConnector, type Connection } from "../connection";
import { noteActive } from "@/server/subjects/provide";
import { touchGroups } from "../groups/touch";
import { countStaged, decisionInput, takeStaged, type Decision } from "./take-staged";

/**
 * Drops the staged removals of a directory: all of them, or those of some people. SCIM then shows again what is
 * applied, so that the directory sees the difference. Leaves an audit entry.
 */
export const discardStagedRemovals = command({
  name: "connectors.staged.discard",
  scope: "connectors:approve",
  input: decisionInput,
  async run(ctx, input): Promise<Decision> {
    const connection = await loadScimConnector(ctx, input.id);
    const removals = await takeStaged(ctx, connection, {
      ids: input.ids,
      removals: input.removals,
      expectedCount: input.expectedCount,
      state: "dropped",
      lockGroups: (groups) => touchGroups(ctx, groups),
    });
    const people = removals.filter(({ cause }) => cause !== "member").map(({ subjectId }) => subjectId);
    await showAgain(ctx, connection, people);
    await showGroupsAgain(
      ctx,
      connection,
      removals.flatMap(({ groupId }) => groupId ?? []),
    );
    const decision = {
      deactivated: 0,
      membershipsRemoved: 0,
      dropped: removals.length,
      remaining: await countStaged(ctx, connection),
    };
    await audit(
      ctx,
      "connector.staged_discarded",
      { type: "connector", id: publicId("con", connection.id) },
      { ...decision },
    );
    return decision;
  },
});

/** Shows people as active again. A deleted user stays hidden if another user has the userName by now. */
async function showAgain(ctx: TxCtx, connection: Connection, people: Id<"sub">[]): Promise<void> {
  if (people.length === 0) return;
  await ctx.tx.sql(
    `UPDATE scim_users u SET active = true, resource = u.resource || '{"active": true}', version = u.version + 1, updated_at = $4,
       hidden_at = CASE WHEN EXISTS (
         SELECT FROM (SELECT FROM scim_users other WHERE other.org_id = $1 AND other.connector_id = $2 AND other.user_key = u.user_key AND other.hidden_at IS NULL OFFSET 0) taken
       ) THEN u.hidden_at END
     FROM unnest($3::uuid[]) AS given (id)
     CROSS JOIN LATERAL (SELECT ctid AS tid FROM scim_users WHERE org_id = $1 AND connector_id = $2 AND subject_id = given.id OFFSET 0) own
     WHERE u.ctid = own.tid`,
    [ctx.orgId, connection.id, people, ctx.now],
  );
  await noteActive(ctx, connection.id, people);
}

/** Shows deleted groups again, unless the connection has another group of that name or externalId by now. */
async function showGroupsAgain(ctx: TxCtx, connection: Connection, groups: Id<"grp">[]): Promise<void> {
  if (groups.length === 0) return;
  await ctx.tx.sql(
    `UPDATE scim_groups g SET hidden_at = NULL
     WHERE g.org_id = $1 AND g.connector_id = $2 AND g.group_id = ANY($3::uuid[]) AND g.hidden_at IS NOT NULL AND NOT EXISTS (
       SELECT FROM scim_groups other WHERE other.org_id = $1 AND other.connector_id = $2 AND other.hidden_at IS NULL
         AND (other.external_id = g.external_id OR other.name_key = g.name_key AND (other.external_id IS NULL OR g.external_id IS NULL))
     )`,
    [ctx.orgId, connection.id, groups],
  );
}
