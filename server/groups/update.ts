import { z } from "zod";
import { isUniqueViolation } from "@/server/core/db";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { DomainError } from "@/server/core/errors";
import { id } from "@/server/core/input";
import { command, requireScope } from "@/server/core/operation";
import { append } from "@/server/events/append";
import { ruleInput } from "@/server/rules/input";
import { groupExternalIdTaken, groupFields, groupWithExternalId } from "./input";
import { loadGroup } from "./load";
import { requireStaticGroups } from "./named-groups";
import { requireNotProvided } from "./provided";
import { evaluateSavedRule } from "./save-rule";
import { groupFactsOf, groupTag, groupView, type GroupRow } from "./view";

/**
 * Changes a group. Emits group.updated; nothing if nothing changed. A new rule is evaluated: group.members_added and
 * group.members_removed report who joined and left. A rule requires subjects:read too, as in createGroup.
 *
 * @throws DomainError external_id_taken; insufficient_scope for a rule without subjects:read; group_not_static for a
 * rule of a static group; group_provided for another name while a directory provides it
 */
export const updateGroup = command({
  name: "groups.update",
  scope: "groups:write",
  input: z.strictObject({
    id: id("grp"),
    ifMatch,
    name: groupFields.name.optional(),
    externalId: groupFields.externalId.optional(),
    description: groupFields.description.optional(),
    rule: ruleInput.optional(),
  }),
  tag: groupTag,
  async run(ctx, input) {
    if (input.rule) requireScope(ctx, "subjects:read");
    const before = await loadGroup(ctx, input.id, "FOR UPDATE");
    requireMatch(input.ifMatch, groupTag(groupView(before)));
    if (input.rule && before.kind === "static")
      throw new DomainError(
        "group_not_static",
        "This group is static: it has no rule. Create a group of kind rule for the people who match a rule.",
      );
    if (input.name !== undefined && input.name !== before.name) requireNotProvided(before);
    const holder = input.externalId ? await groupWithExternalId(ctx, input.externalId) : undefined;
    if (holder && holder !== before.id) throw groupExternalIdTaken(holder);
    const rule = input.rule ?? before.rule;
    const named = input.rule ? await requireStaticGroups(ctx, input.rule) : null;
    const [changed] = await ctx.tx
      .sql<Pick<GroupRow, "id" | "name" | "external_id" | "kind"> & { has_new_rule: boolean }>(
        `UPDATE groups SET name = $3, external_id = $4, description = $5, rule = $6::jsonb, updated_at = $8,
           rule_group_ids = coalesce($7::uuid[], rule_group_ids),
           evaluated_at = CASE WHEN rule IS DISTINCT FROM $6::jsonb THEN NULL ELSE evaluated_at END,
           evaluation_problem = CASE WHEN rule IS DISTINCT FROM $6::jsonb THEN NULL ELSE evaluation_problem END,
           evaluation_failures = CASE WHEN rule IS DISTINCT FROM $6::jsonb THEN 0 ELSE evaluation_failures END,
           retry_at = CASE WHEN rule IS DISTINCT FROM $6::jsonb THEN NULL ELSE retry_at END,
           evaluated_to = CASE WHEN rule IS DISTINCT FROM $6::jsonb THEN NULL ELSE evaluated_to END
         WHERE org_id = $1 AND id = $2 AND (name, external_id, description, rule) IS DISTINCT FROM ($3, $4, $5, $6::jsonb)
         RETURNING id, name, external_id, kind, old.rule IS DISTINCT FROM new.rule AS has_new_rule`,
        [
          ctx.orgId,
          before.id,
          input.name ?? before.name,
          input.externalId === undefined ? before.external_id : input.externalId,
          input.description ?? before.description,
          rule && JSON.stringify(rule),
          named,
          ctx.now,
        ],
      )
      .catch((error: unknown) => {
        throw isUniqueViolation(error) ? groupExternalIdTaken(undefined) : error;
      });
    if (!changed) return groupView(before);
    await append(ctx, {
      type: "group.updated",
      resourceId: before.id,
      object: groupFactsOf(changed),
      previous: {
        ...(before.name !== changed.name && { name: before.name }),
        ...(before.external_id !== changed.external_id && { externalId: before.external_id }),
      },
    });
    if (changed.has_new_rule) await evaluateSavedRule(ctx, before.id);
    return groupView(await loadGroup(ctx, before.id));
  },
});
