import { z } from "zod";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { DomainError } from "@/server/core/errors";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { append } from "@/server/events/append";
import { loadGroup } from "./load";
import { groupFactsOf, groupTag, groupView } from "./view";

/**
 * Deletes a group and its memberships; the people stay. Emits group.deleted alone, which ends all memberships at once.
 *
 * @throws DomainError group_in_use while the rule of another group or a policy names it
 */
export const deleteGroup = command({
  name: "groups.delete",
  scope: "groups:write",
  input: z.strictObject({ id: id("grp"), ifMatch }),
  async run(ctx, input) {
    // Whoever adds members or saves a rule that names the group holds it FOR KEY SHARE until then.
    const group = await loadGroup(ctx, input.id, "FOR UPDATE");
    requireMatch(input.ifMatch, groupTag(groupView(group)));
    const users = await ctx.tx.sql<{ what: string; name: string }>(
      `SELECT 'the rule of ' AS what, name FROM groups WHERE org_id = $1 AND $2 = ANY(rule_group_ids)
       UNION ALL SELECT 'the policy ', name FROM policies WHERE org_id = $1 AND (group_id = $2 OR $2 = ANY(rule_group_ids)) AND deleted_at IS NULL LIMIT 5`,
      [ctx.orgId, group.id],
    );
    if (users.length > 0) {
      const told = users.map(({ what, name }) => what + JSON.stringify(name)).join(", ");
      throw new DomainError(
        "group_in_use",
        `${told[0]!.toUpperCase()}${told.slice(1)} names this group. Change or delete that first.`,
      );
    }
    const key = [ctx.orgId, group.id];
    // Members first: their trigger writes a delta, which goes after them.
    ctx.tx.send(`DELETE FROM group_members WHERE org_id = $1 AND group_id = $2`, key);
    ctx.tx.send(`DELETE FROM groups WHERE org_id = $1 AND id = $2`, key);
    ctx.tx.send(`DELETE FROM group_count_deltas WHERE org_id = $1 AND group_id = $2`, key);
    ctx.tx.send(`DELETE FROM group_counts WHERE org_id = $1 AND group_id = $2`, key);
    await append(ctx, { type: "group.deleted", resourceId: group.id, object: groupFactsOf(group) });
  },
});
