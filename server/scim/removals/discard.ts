import { audit } from "@/server/access/audit";
import type { TxCtx } from "@/server/core/context";
import { publicId, type Id } from "@/server/core/ids";
import { command } from "@/server/core/operation";
import { loadScimConnector, type Connection } from "../connection";
import { showAgain } from "@/server/subjects/show-again";
import { bringBack, findReturning } from "../groups/leaving";
import { groupsAwaiting, joinByValue, lockArrivals } from "../groups/pending";
import { touchGroups } from "../groups/touch";
import { memberValues } from "../users/member-values";
import { countStaged, decisionInput, takeStaged, type Decision } from "./take-staged";

/**
 * Drops the staged removals of a directory: all of them, or those of some people. SCIM then shows the present state
 * again, so that the directory sees the difference. Users who are shown again join the groups that named them after
 * their deletion. Leaves an audit entry.
 */
export const discardStagedRemovals = command({
  name: "connectors.staged.discard",
  scope: "connectors:approve",
  input: decisionInput,
  async run(ctx, input): Promise<Decision> {
    const connection = await loadScimConnector(ctx, input.id);
    const returning = await findReturning(ctx, connection);
    // After findReturning, which may take the same lock exclusively.
    lockArrivals(ctx, connection, "arrives");
    const removals = await takeStaged(ctx, connection, {
      ids: input.ids,
      removals: input.removals,
      expectedCount: input.expectedCount,
      state: "dropped",
      lockGroups: async (groups, deleted) => {
        const values = await memberValues(ctx, connection, deleted, "all");
        const awaiting = await groupsAwaiting(ctx, connection, [...values.keys()]);
        touchGroups(ctx, [...new Set([...groups, ...awaiting])]);
      },
    });
    const people = removals.filter(({ cause }) => cause !== "member").map(({ subjectId }) => subjectId);
    showAgain(
      ctx,
      people.map((subjectId) => ({ connectorId: connection.id, subjectId })),
    );
    const deleted = removals.filter(({ cause }) => cause === "deleted").map(({ subjectId }) => subjectId);
    await joinByValue(ctx, connection, await memberValues(ctx, connection, deleted, "shown"));
    const groups = [...new Set(removals.flatMap(({ groupId }) => groupId ?? []))];
    await showGroupsAgain(ctx, connection, groups);
    await bringBack(ctx, connection, groups, returning);
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

/**
 * Shows deleted groups again, unless the connection now has another group with that name or externalId. If several
 * deleted groups compete, the one that was deleted last is shown.
 */
async function showGroupsAgain(ctx: TxCtx, connection: Connection, groups: Id<"grp">[]): Promise<void> {
  if (groups.length === 0) return;
  await ctx.tx.sql(
    `UPDATE scim_groups g SET hidden_at = NULL
     WHERE g.org_id = $1 AND g.connector_id = $2 AND g.group_id = ANY($3::uuid[]) AND g.hidden_at IS NOT NULL AND NOT EXISTS (
       SELECT FROM scim_groups other WHERE other.org_id = $1 AND other.connector_id = $2
         AND (other.hidden_at IS NULL OR other.group_id = ANY($3::uuid[]) AND (other.hidden_at, other.group_id) > (g.hidden_at, g.group_id))
         AND (other.external_id = g.external_id OR other.name_key = g.name_key AND (other.external_id IS NULL OR g.external_id IS NULL))
     )`,
    [ctx.orgId, connection.id, groups],
  );
}
