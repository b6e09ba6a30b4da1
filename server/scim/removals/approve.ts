import { audit } from "@/server/access/audit";
import type { TxCtx } from "@/server/core/context";
import { publicId } from "@/server/core/ids";
import { command } from "@/server/core/operation";
import { loadScimConnector } from "../connection";
import { deleteMembers } from "@/server/groups/change-members";
import { endMemberships } from "../users/leave-groups";
import { forgetLeft } from "../groups/leaving";
import { lockGroups } from "../groups/touch";
import { endPeople } from "./end-people";
import type { Removal } from "./gate";
import { countStaged, decisionInput, takeStaged, type Decision } from "./take-staged";

/**
 * Applies the staged removals of a directory: all of them, or those of some people. Removals that are no longer due are
 * dropped. Leaves an audit entry. Emits subject.deactivated, and group.members_removed for each group.
 */
export const approveStagedRemovals = command({
  name: "connectors.staged.approve",
  scope: "connectors:approve",
  input: decisionInput,
  async run(ctx, input): Promise<Decision> {
    const connection = await loadScimConnector(ctx, input.id);
    const removals = await takeStaged(ctx, connection, {
      ids: input.ids,
      removals: input.removals,
      expectedCount: input.expectedCount,
      state: "applied",
      lockGroups: (groups) => lockGroups(ctx, groups),
    });
    const memberships = removals.filter(({ cause }) => cause === "member");
    const membershipsRemoved = await removeMemberships(ctx, memberships);
    forgetLeft(ctx, connection, [...new Set(memberships.map((removal) => removal.groupId!))]);
    const ofPeople = removals.filter(({ cause }) => cause !== "member");
    const ended = await endPeople(ctx, connection, ofPeople);
    await endMemberships(
      ctx,
      connection,
      ofPeople.filter(({ cause }) => cause === "deleted").map(({ subjectId }) => subjectId),
    );
    const decision = {
      deactivated: ended.length,
      membershipsRemoved,
      dropped: removals.length - ended.length - membershipsRemoved,
      remaining: await countStaged(ctx, connection),
    };
    await audit(
      ctx,
      "connector.staged_approved",
      { type: "connector", id: publicId("con", connection.id) },
      { ...decision },
    );
    return decision;
  },
});

/** @returns how many memberships still existed */
async function removeMemberships(ctx: TxCtx, removals: Removal[]): Promise<number> {
  let removed = 0;
  for (const [groupId, those] of Map.groupBy(removals, (removal) => removal.groupId!)) {
    const { count } = await deleteMembers(
      ctx,
      groupId,
      those.map(({ subjectId }) => subjectId),
    );
    removed += count;
  }
  return removed;
}
