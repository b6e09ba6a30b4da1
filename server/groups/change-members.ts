import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { changeOf, tellMemberChange, type MemberChange } from "./member-change";

/**
 * Adds people to a group in one statement. Existing members stay unchanged. Emits group.members_added.
 *
 * @param ids people who are locked, so that they are not deleted or erased until the transaction ends
 */
export async function insertMembers(ctx: TxCtx, groupId: Id<"grp">, ids: Id<"sub">[]): Promise<MemberChange> {
  const [added] = await ctx.tx.sql<MemberChange>(
    `WITH changed AS (
       INSERT INTO group_members (org_id, group_id, subject_id, added_at)
       SELECT $1, $2, given.id, $4 FROM unnest($3::uuid[]) AS given (id)
       ON CONFLICT DO NOTHING RETURNING subject_id
     ) ${changeOf}`,
    [ctx.orgId, groupId, ids, ctx.now],
  );
  ctx.tx.wrote("group_members", added!.count);
  await tellMemberChange(ctx, "group.members_added", groupId, added!);
  return added!;
}

/** Removes people from a group in one statement; the people stay. Emits group.members_removed. */
export async function deleteMembers(ctx: TxCtx, groupId: Id<"grp">, ids: Id<"sub">[]): Promise<MemberChange> {
  const [removed] = await ctx.tx.sql<MemberChange>(
    `WITH changed AS (
       DELETE FROM group_members gone USING unnest($3::uuid[]) AS given (id)
         CROSS JOIN LATERAL (SELECT ctid AS tid FROM group_members m WHERE m.org_id = $1 AND m.group_id = $2 AND m.subject_id = given.id OFFSET 0) held
       WHERE gone.ctid = held.tid RETURNING gone.subject_id
     ) ${changeOf}`,
    [ctx.orgId, groupId, ids],
  );
  await tellMemberChange(ctx, "group.members_removed", groupId, removed!);
  return removed!;
}
