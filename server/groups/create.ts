import { z } from "zod";
import { newId } from "@/server/core/ids";
import { invalidInput } from "@/server/core/input";
import { command, requireScope } from "@/server/core/operation";
import { append } from "@/server/events/append";
import { ruleInput } from "@/server/rules/input";
import { groupExternalIdTaken, groupFields, groupWithExternalId } from "./input";
import { loadGroup } from "./load";
import { requireStaticGroups } from "./named-groups";
import { requireRoomForRule } from "./rule-limit";
import { evaluateSavedRule } from "./save-rule";
import { groupFactsOf, groupKinds, groupTag, groupView } from "./view";

/**
 * Creates a group: a static one without members, or a rule group with the people who match its rule. Emits
 * group.created, and group.members_added if somebody matches. A rule requires subjects:read too: its member count
 * reveals how many people have an attribute (docs/decisions/361).
 *
 * @throws DomainError external_id_taken; insufficient_scope for a rule without subjects:read; limit_reached beyond 500
 * rule groups
 */
export const createGroup = command({
  name: "groups.create",
  scope: "groups:write",
  input: z.strictObject({
    name: groupFields.name,
    externalId: groupFields.externalId.optional(),
    description: groupFields.description.optional(),
    kind: z.enum(groupKinds).optional().meta({ description: "rule where a rule is sent, else static." }),
    rule: ruleInput.optional(),
  }),
  tag: groupTag,
  async run(ctx, input) {
    if (input.rule) requireScope(ctx, "subjects:read");
    const kind = input.kind ?? (input.rule ? "rule" : "static");
    if ((kind === "rule") !== (input.rule !== undefined))
      throw invalidInput([
        {
          pointer: "/rule",
          code: kind === "rule" ? "invalid_type" : "unknown_field",
          message: kind === "rule" ? "is required for a group of kind rule" : "is only for a group of kind rule",
        },
      ]);
    if (input.rule) await requireRoomForRule(ctx);
    const named = input.rule ? await requireStaticGroups(ctx, input.rule) : [];
    const row = { id: newId("grp"), name: input.name, external_id: input.externalId ?? null, kind };
    const [created] = await ctx.tx.sql(
      `INSERT INTO groups (org_id, id, name, external_id, description, kind, rule, rule_group_ids, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) ON CONFLICT (org_id, external_id) DO NOTHING RETURNING id`,
      [
        ctx.orgId,
        row.id,
        row.name,
        row.external_id,
        input.description ?? "",
        kind,
        input.rule ? JSON.stringify(input.rule) : null,
        named,
        ctx.now,
      ],
    );
    if (!created) throw groupExternalIdTaken(await groupWithExternalId(ctx, input.externalId!));
    await append(ctx, { type: "group.created", resourceId: row.id, object: groupFactsOf(row) });
    if (input.rule) await evaluateSavedRule(ctx, row.id);
    return groupView(await loadGroup(ctx, row.id));
  },
});
