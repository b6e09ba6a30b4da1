import { z } from "zod";
import { audit } from "@/server/access/audit";
import type { TxCtx } from "@/server/core/context";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { DomainError } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command, requireScope } from "@/server/core/operation";
import { regionOf } from "@/server/organisations/region";
import { configOf } from "./config";
import { blastRadiusChange, policyFields } from "./input";
import { loadPolicy, loadShownPolicy } from "./load";
import { countMatches } from "./matches";
import { requireMeant, requireTemplate } from "./references";
import { nextRun } from "@/server/core/schedule";
import { policyTag, policyView, type PolicyRow } from "./view";

const { templateId: _, ...fields } = policyFields;
const changeable = { ...fields, blastRadius: blastRadiusChange };

/**
 * Changes a policy, but not its template. A run in progress keeps its copy of the policy; a halted run can no
 * longer be approved. A rule replaces a group, and a group replaces a rule. Raising the blast radius also needs
 * policies:approve. Leaves an audit entry if something changed.
 */
export const updatePolicy = command({
  name: "policies.update",
  scope: "policies:write",
  input: z.strictObject({ id: id("pol"), ifMatch, ...z.object(changeable).partial().shape }),
  tag: policyTag,
  async run(ctx, { id: policyId, ifMatch: wanted, ...sent }) {
    if (sent.rule) requireScope(ctx, "subjects:read");
    const before = await loadPolicy(ctx, policyId, "FOR UPDATE");
    const shown = policyView(await loadShownPolicy(ctx, policyId));
    requireMatch(wanted, policyTag(shown));
    const { percent, count } = before.blast_radius;
    const limit = { percent: sent.blastRadius?.percent ?? percent, count: sent.blastRadius?.count ?? count };
    if (isWider(limit, before.blast_radius)) requireApprover(ctx);
    const { timeZone } = await regionOf(ctx.tx.sql, ctx.orgId);
    const schedule = sent.schedule === undefined ? before.schedule : sent.schedule && { timeZone, ...sent.schedule };
    const { groupId, rule } =
      sent.groupId || sent.rule
        ? { groupId: sent.groupId ?? null, rule: sent.rule ?? null }
        : { groupId: before.group_id, rule: before.rule };
    const next = { ...configOf(before), name: before.name, ...sent, blastRadius: limit, groupId, rule };
    if (sent.renewal) await requireTemplate(ctx, next);
    const named = await requireMeant(ctx, next);
    const [changed] = await ctx.tx.sql(
      `UPDATE policies SET name = $3, group_id = $4, rule = $5::jsonb, rule_group_ids = $6::uuid[], on_exit = $7, reentry = $8, grace_days = $9,
         schedule = $10::jsonb, blast_radius = $11::jsonb, renewal = $12::jsonb, next_run_at = CASE WHEN schedule IS DISTINCT FROM $10::jsonb THEN $13 ELSE next_run_at END, updated_at = $14
       WHERE org_id = $1 AND id = $2
         AND (name, group_id, rule, on_exit, reentry, grace_days, schedule, blast_radius, renewal)
           IS DISTINCT FROM ($3, $4::uuid, $5::jsonb, $7, $8, $9::int, $10::jsonb, $11::jsonb, $12::jsonb)
       RETURNING id`,
      [
        ctx.orgId,
        before.id,
        next.name,
        groupId,
        rule && JSON.stringify(rule),
        named,
        next.onExit,
        next.reentry,
        next.graceDays,
        schedule,
        next.blastRadius,
        next.renewal,
        nextRun(schedule, ctx.now),
        ctx.now,
      ],
    );
    const matches = sent.rule || sent.groupId ? await countMatches(ctx, before.id, next) : null;
    if (!changed) return { ...shown, matches };
    await audit(
      ctx,
      "policy.updated",
      { type: "policy", id: publicId("pol", before.id) },
      { fields: Object.keys(sent) },
    );
    return { ...policyView(await loadShownPolicy(ctx, before.id)), matches };
  },
});

type BlastRadius = PolicyRow["blast_radius"];

const isWider = (next: BlastRadius, before: BlastRadius): boolean =>
  next.percent > before.percent || next.count > before.count;

/**
 * Raising the limit permits removals that it would hold, so it requires the same scope as approving a halted run
 * (docs/decisions/428).
 *
 * @throws DomainError insufficient_scope
 */
function requireApprover(ctx: TxCtx): void {
  if (ctx.scopes.has("policies:approve")) return requireScope(ctx, "policies:approve");
  throw new DomainError(
    "insufficient_scope",
    "Raising blastRadius needs the scope policies:approve, which the token or role does not have: it lets the policy end more credentials without a person. Leave blastRadius out, or lower it.",
    { members: { scope: "policies:approve" } },
  );
}
