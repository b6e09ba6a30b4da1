import { z } from "zod";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { DomainError } from "@/server/core/errors";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { dropGroup } from "./drop";
import { loadGroup } from "./load";
import { requireNotProvided } from "./provided";
import { usersOfGroup } from "./uses";
import { groupTag, groupView } from "./view";

/**
 * Deletes a group and its memberships; the people stay. Emits only group.deleted, which ends all memberships at once.
 *
 * @throws DomainError group_in_use while the rule of another group or a policy names it; group_provided while a
 * directory provides it
 */
export const deleteGroup = command({
  name: "groups.delete",
  scope: "groups:write",
  input: z.strictObject({ id: id("grp"), ifMatch }),
  async run(ctx, input) {
    // A transaction that adds members, or saves a rule that names the group, holds it FOR KEY SHARE until then.
    const group = await loadGroup(ctx, input.id, "FOR UPDATE");
    requireMatch(input.ifMatch, groupTag(groupView(group)));
    requireNotProvided(group);
    const users = await usersOfGroup(ctx, group.id);
    if (users.length > 0) {
      const told = users.map(({ what, name }) => what + JSON.stringify(name)).join(", ");
      throw new DomainError(
        "group_in_use",
        `${told[0]!.toUpperCase()}${told.slice(1)} ${users.length === 1 ? "names this group. Change or delete that first." : "name this group. Change or delete those first."}`,
      );
    }
    await dropGroup(ctx, group);
  },
});
