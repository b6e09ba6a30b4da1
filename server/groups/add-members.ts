import { z } from "zod";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { insertMembers } from "./change-members";
import { findSubjects, memberErrorSchema } from "./find-subjects";
import { namedSubjects, namesSomePeople } from "./input";
import { loadGroup, loadStaticGroup } from "./load";

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
 * Adds up to 10,000 people to a static group. Existing members stay unchanged; an unknown name is reported and does not
 * affect the others. Emits one group.members_added with the count and the first 100.
 *
 * @throws DomainError not_found, group_not_static, group_provided
 */
export const addGroupMembers = command({
  name: "groups.members.add",
  scope: "groups:write",
  input: z.strictObject({ id: id("grp"), ...namedSubjects }).superRefine(namesSomePeople),
  async run(ctx, input) {
    const group = await loadStaticGroup(ctx, input.id);
    const { ids, errors, named } = await findSubjects(ctx, input);
    const added = await insertMembers(ctx, group.id, ids);
    const { member_count: memberCount } = await loadGroup(ctx, group.id);
    const failed = errors.length;
    return { added: added.count, unchanged: named - failed - added.count, failed, memberCount, errors };
  },
});
