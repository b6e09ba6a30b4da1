import type { TxCtx } from "@/server/core/context";
import { publicId, type Id } from "@/server/core/ids";
import { appendAll } from "@/server/events/append";
import { touchDirectoryGroups } from "@/server/subjects/directory-groups";

/** Removes an erased person from every group. Emits group.members_removed for each. */
export async function leaveAllGroups(ctx: TxCtx, subjectId: Id<"sub">): Promise<void> {
  touchDirectoryGroups(ctx, [subjectId]);
  const left = await ctx.tx.sql<{ id: Id<"grp"> }>(
    `DELETE FROM group_members WHERE org_id = $1 AND subject_id = $2 RETURNING group_id AS id`,
    [ctx.orgId, subjectId],
  );
  await appendAll(
    ctx,
    left.map(({ id }) => ({
      type: "group.members_removed" as const,
      resourceId: id,
      object: {
        object: "group" as const,
        id: publicId("grp", id),
        count: 1,
        subjectIds: [publicId("sub", subjectId)],
      },
    })),
  );
}
