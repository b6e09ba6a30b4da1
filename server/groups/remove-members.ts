import { z } from "zod";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { deleteMembers } from "./change-members";
import { findSubjects, memberErrorSchema } from "./find-subjects";
import { namedSubjects, namesSomePeople } from "./input";
import { loadGroup, loadStaticGroup } from "./load";

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
 * Removes up to 10,000 people from a static group; the people stay. Emits one group.members_removed with the count and
 * the first 100.
 *
 * @throws DomainError not_found, group_not_static, group_provided
 */
export const removeGroupMembers = command({
  name: "groups.members.remove",
  scope: "groups:write",
  input: z.strictObject({ id: id("grp"), ...namedSubjects }).superRefine(namesSomePeople),
  async run(ctx, input) {
    const group = await loadStaticGroup(ctx, input.id);
    const { ids, errors, named } = await findSubjects(ctx, input);
    const removed = await deleteMembers(ctx, group.id, ids);
    const { member_count: memberCount } = await loadGroup(ctx, group.id);
    const failed = errors.length;
    return { removed: removed.count, unchanged: named - failed - removed.count, failed, memberCount, errors };
  },
});
