import { z } from "zod";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { findSubjects, memberErrorSchema } from "./find-subjects";
import { namedSubjects, namesSomePeople } from "./input";
import { loadGroup, loadStaticGroup } from "./load";
import { changeOf, tellMemberChange, type MemberChange } from "./member-change";

export const membersAddedSchema = z
  .object({
    added: z.int(),
    unchanged: z.int().meta({ description: "People named who were members already, or named twice." }),
    failed: z.int(),
    memberCount: z.int().meta({ description: "How many members the group has now." }),
    errors: z.array(memberErrorSchema),
  })
  .meta({ id: "GroupMembersAdded" });

/**
 * Adds up to 10,000 people to a static group. Who is a member already stays one; a name that stands for nobody is
 * reported and harms no other. Emits one group.members_added with the count and the first 100.
 *
 * @throws DomainError not_found, group_not_static
 */
export const addGroupMembers = command({
  name: "groups.members.add",
  scope: "groups:write",
  input: z.strictObject({ id: id("grp"), ...namedSubjects }).superRefine(namesSomePeople),
  async run(ctx, input) {
    const group = await loadStaticGroup(ctx, input.id);
    const { ids, errors, named } = await findSubjects(ctx, input);
    const [added] = await ctx.tx.sql<MemberChange>(
      `WITH changed AS (
         INSERT INTO group_members (org_id, group_id, subject_id, added_at)
         SELECT $1, $2, given.id, $4 FROM unnest($3::uuid[]) AS given (id)
         ON CONFLICT DO NOTHING RETURNING subject_id
       ) ${changeOf}`,
      [ctx.orgId, group.id, ids, ctx.now],
    );
    ctx.tx.wrote("group_members", added!.count);
    await tellMemberChange(ctx, "group.members_added", group.id, added!);
    const { member_count: memberCount } = await loadGroup(ctx, group.id);
    const failed = errors.length;
    return { added: added!.count, unchanged: named - failed - added!.count, failed, memberCount, errors };
  },
});
