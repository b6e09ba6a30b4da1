import { z } from "zod";
import { audit } from "@/server/access/audit";
import { newId, publicId } from "@/server/core/ids";
import { command, requireScope } from "@/server/core/operation";
import { regionOf } from "@/server/organisations/region";
import { configOf } from "./config";
import { policyFields } from "./input";
import { loadShownPolicy } from "./load";
import { countMatches } from "./matches";
import { requireMeant, requireTemplate } from "./references";
import { nextRun } from "@/server/core/schedule";
import { policyTag, policyView } from "./view";

/**
 * Creates a policy: people who match a rule, or are in a group, hold a credential (contract section 12). Nothing is
 * issued before it is applied, by a request or by its schedule. Answers how many match. A rule takes subjects:read too, as in createGroup. Leaves an audit entry.
 */
export const createPolicy = command({
  name: "policies.create",
  scope: "policies:write",
  input: z.strictObject({
    name: policyFields.name,
    templateId: policyFields.templateId,
    groupId: policyFields.groupId.optional(),
    rule: policyFields.rule.optional(),
    onExit: policyFields.onExit.default("suspend"),
    reentry: policyFields.reentry.default("resume"),
    graceDays: policyFields.graceDays.default(0),
    schedule: policyFields.schedule.default(null),
    blastRadius: policyFields.blastRadius.default({ percent: 10, count: 500 }),
    renewal: policyFields.renewal.default(null),
  }),
  tag: policyTag,
  async run(ctx, input) {
    if (input.rule) requireScope(ctx, "subjects:read");
    const { name, templateId, groupId = null, rule = null, onExit, reentry, graceDays, renewal } = input;
    await requireTemplate(ctx, { templateId, renewal });
    const named = await requireMeant(ctx, { groupId, rule });
    const { timeZone } = await regionOf(ctx.tx.sql, ctx.orgId);
    const schedule = input.schedule && { timeZone, ...input.schedule };
    const id = newId("pol");
    await ctx.tx.sql(
      `INSERT INTO policies (org_id, id, name, template_id, group_id, rule, rule_group_ids, on_exit, reentry, grace_days, schedule, blast_radius, renewal, next_run_at, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15)`,
      [
        ctx.orgId,
        id,
        name,
        templateId,
        groupId,
        rule && JSON.stringify(rule),
        named,
        onExit,
        reentry,
        graceDays,
        schedule,
        input.blastRadius,
        renewal,
        nextRun(schedule, ctx.now),
        ctx.now,
      ],
    );
    await audit(
      ctx,
      "policy.created",
      { type: "policy", id: publicId("pol", id) },
      { name, templateId: publicId("tpl", templateId), onExit, blastRadius: input.blastRadius },
    );
    const shown = await loadShownPolicy(ctx, id);
    return { ...policyView(shown), matches: await countMatches(ctx, id, configOf(shown)) };
  },
});
