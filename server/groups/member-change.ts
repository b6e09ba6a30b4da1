import type { TxCtx } from "@/server/core/context";
import { publicId, type Id } from "@/server/core/ids";
import { append } from "@/server/events/append";

/** A change of a group's members by one statement: how many, and the first 100 of them. */
export interface MemberChange {
  count: number;
  ids: Id<"sub">[];
}

/** Reads the rows of a CTE `changed` as a MemberChange. */
export const changeOf = `SELECT (SELECT count(*) FROM changed) AS count, ARRAY(SELECT subject_id FROM changed ORDER BY subject_id LIMIT 100) AS ids`;

/** Emits group.members_added or group.members_removed, once for the whole change; nothing if nobody joined or left. */
export async function tellMemberChange(
  ctx: TxCtx,
  type: "group.members_added" | "group.members_removed",
  groupId: Id<"grp">,
  { count, ids }: MemberChange,
): Promise<void> {
  if (count === 0) return;
  await append(ctx, {
    type,
    resourceId: groupId,
    object: {
      object: "group",
      id: publicId("grp", groupId),
      count,
      subjectIds: ids.map((id) => publicId("sub", id)),
    },
  });
}
