import { z } from "zod";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { findSubjects, memberErrorSchema } from "./find-subjects";
import { namedSubjects, namesSomePeople } from "./input";
import { loadGroup, loadStaticGroup } from "./load";
import { changeOf, tellMemberChange, type MemberChange } from "./member-change";

export const membersRemovedSchema = z
  .object({
    removed: z.int(),
    unchanged: z.int().meta({ description: "People named who were no members, or named twice." }),
    failed: z.int(),
    memberCount: z.int().meta({ description: "How many members the group has now." }),
    errors: z.array(memberErrorSchema),
  })
  .meta({ id: "GroupMembersRemoved" });

/**
 * Takes up to 10,000 people out of a static group; the people stay. Emits one group.members_removed with the count and
 * the first 100.
 *
 * @throws DomainError not_found, group_not_static
 */
export const removeGroupMembers = command({
  name: "groups.members.remove",
  scope: "groups:write",
  input: z.strictObject({ id: id("grp"), ...namedSubjects }).superRefine(namesSomePeople),
  async run(ctx, input) {
    const group = await loadStaticGroup(ctx, input.id);
    const { ids, errors, named } = await findSubjects(ctx, input);
    const [removed] = await ctx.tx.sql<MemberChange>(
      `WITH changed AS (
         DELETE FROM group_members gone USING unnest($3::uuid[]) AS given (id)
           CROSS JOIN LATERAL (SELECT ctid AS tid FROM group_members m WHERE m.org_id = $1 AND m.group_id = $2 AND m.subject_id = given.id OFFSET 0) held
         WHERE gone.ctid = held.tid RETURNING gone.subject_id
       ) ${changeOf}`,
      [ctx.orgId, group.id, ids],
    );
    await tellMemberChange(ctx, "group.members_removed", group.id, removed!);
    const { member_count: memberCount } = await loadGroup(ctx, group.id);
    const failed = errors.length;
    return { removed: removed!.count, unchanged: named - failed - removed!.count, failed, memberCount, errors };
  },
});
