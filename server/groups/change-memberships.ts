import type { TxCtx } from "@/server/core/context";
import { publicId, type Id } from "@/server/core/ids";
import { appendAll } from "@/server/events/append";

/** A person in a group. */
export interface Membership {
  group_id: Id<"grp">;
  subject_id: Id<"sub">;
}

/** Adds people to groups in one statement. Emits group.members_added once for each group that gains members. */
export async function insertMemberships(ctx: TxCtx, given: Membership[]): Promise<void> {
  if (given.length === 0) return;
  const added = await ctx.tx.sql<Membership>(
    `INSERT INTO group_members (org_id, group_id, subject_id, added_at)
     SELECT $1, given.group_id, given.subject_id, $4 FROM unnest($2::uuid[], $3::uuid[]) AS given (group_id, subject_id)
     ON CONFLICT DO NOTHING RETURNING group_id, subject_id`,
    [ctx.orgId, given.map((each) => each.group_id), given.map((each) => each.subject_id), ctx.now],
  );
  ctx.tx.wrote("group_members", added.length);
  await tellByGroup(ctx, "group.members_added", added);
}

/** Removes people from groups in one statement. Emits group.members_removed once for each group that loses members. */
export async function deleteMemberships(ctx: TxCtx, given: Membership[]): Promise<void> {
  if (given.length === 0) return;
  const removed = await ctx.tx.sql<Membership>(
    `DELETE FROM group_members gone USING unnest($2::uuid[], $3::uuid[]) AS given (group_id, subject_id)
       CROSS JOIN LATERAL (SELECT ctid AS tid FROM group_members m WHERE m.org_id = $1 AND m.group_id = given.group_id AND m.subject_id = given.subject_id OFFSET 0) held
     WHERE gone.ctid = held.tid RETURNING gone.group_id, gone.subject_id`,
    [ctx.orgId, given.map((each) => each.group_id), given.map((each) => each.subject_id)],
  );
  await tellByGroup(ctx, "group.members_removed", removed);
}

/** The most people that an event names. */
const named = 100;

async function tellByGroup(
  ctx: TxCtx,
  type: "group.members_added" | "group.members_removed",
  changed: Membership[],
): Promise<void> {
  await appendAll(
    ctx,
    [...Map.groupBy(changed, (each) => each.group_id)].map(([groupId, those]) => ({
      type,
      resourceId: groupId,
      object: {
        object: "group" as const,
        id: publicId("grp", groupId),
        count: those.length,
        subjectIds: those
          .map((each) => each.subject_id)
          .toSorted()
          .slice(0, named)
          .map((id) => publicId("sub", id)),
      },
    })),
  );
}
