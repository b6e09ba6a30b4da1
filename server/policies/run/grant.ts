import type { TxCtx } from "@/server/core/context";
import { firstId, lastId, publicId, type Id } from "@/server/core/ids";
import { cancelConfirmations } from "@/server/credentials/cancel-confirmations";
import { changeSet } from "@/server/credentials/change-set";
import { issueInput } from "@/server/credentials/input";
import { issueSet } from "@/server/credentials/issue-set";
import { resumption } from "@/server/credentials/resume";
import { takeOver } from "@/server/credentials/take-over";
import { extension } from "@/server/credentials/update";
import { lockCredentials } from "@/server/credentials/load";
import { regionOf } from "@/server/organisations/region";
import { expiryOf } from "@/server/templates/validity";
import { withinRuleTime } from "@/server/rules/rule-time";
import { sent, type PolicySql } from "../plan/people";
import { currentTemplate } from "../references";
import type { Action, Counts } from "../run-view";
import { endedReason } from "./remove";
import { advance, asRun, end, plansFor, type Work } from "./work";

/** How many people one transaction handles, which keeps its locks short. */
const windowSize = 2_000;

interface Granted {
  subject_id: Id<"sub">;
  credential_id: Id<"crd"> | null;
  action: Action;
}

type Refusal = { code: string; message: string };
interface Done {
  counts: Counts;
  refusal: Refusal | null;
}

/** Issues, resumes and renews the credentials of the next people who should hold one. Ends the run after the last. */
export async function grant(ctx: TxCtx, work: Work): Promise<void> {
  const after = work.after ?? firstId;
  const [last] = await ctx.tx.sql<{ id: Id<"sub"> }>(
    `SELECT id FROM subjects WHERE org_id = $1 AND id > $2 ORDER BY id LIMIT 1 OFFSET $3`,
    [ctx.orgId, after, windowSize - 1],
  );
  const { fresh, refusal: unissued } = await plansFor(ctx, work, work.evaluated_at!);
  const plan = fresh();
  const window = { after: after as string, to: (last?.id ?? lastId) as string };
  const text = plan.grants(window);
  const rows = await withinRuleTime(ctx.tx, () => ctx.tx.sql<Granted>(text, ...sent(plan)));
  const of = (action: Action) => rows.filter((row) => row.action === action);
  const acting = asRun(ctx, work);
  await cancelUnwanted(acting, fresh(), window);
  const done = [
    unissued ? refused(unissued, of("issue")) : await issue(acting, work, of("issue")),
    await resume(acting, work, of("resume")),
    await renew(acting, work, of("renew")),
  ];
  const counts: Counts = {
    confirming: of("confirming").length,
    keep: of("keep").length,
    foreign: of("foreign").length,
    blocked: of("blocked").length,
  };
  for (const each of done)
    for (const [action, n] of Object.entries(each.counts))
      counts[action as keyof Counts] = (counts[action as keyof Counts] ?? 0) + n;
  const refusal = done.find((each) => each.refusal)?.refusal;
  if (refusal && !work.refusal)
    await ctx.tx.sql(`UPDATE policy_runs SET refusal = $3 WHERE org_id = $1 AND id = $2`, [
      ctx.orgId,
      work.id,
      refusal,
    ]);
  await advance(ctx, work, { phase: "granting", ...(last && { after: last.id }) }, counts);
  if (!last) await end(ctx, work, "completed", "active");
}

/** Cancels the policy's requests to confirm the name of people who should not hold a credential any more. */
async function cancelUnwanted(ctx: TxCtx, plan: PolicySql, window: { after: string; to: string }): Promise<void> {
  const text = plan.unwantedAsks(window);
  const rows = await withinRuleTime(ctx.tx, () => ctx.tx.sql<{ id: Id<"ncf"> }>(text, ...sent(plan)));
  await cancelConfirmations(
    ctx,
    rows.map(({ id }) => id),
    endedReason,
  );
}

async function issue(ctx: TxCtx, work: Work, rows: Granted[]): Promise<Done> {
  if (rows.length === 0) return { counts: {}, refusal: null };
  const issued = await issueSet(
    ctx,
    rows.map(({ subject_id, credential_id }) =>
      issueInput.parse({
        subject: { id: publicId("sub", subject_id) },
        templateId: publicId("tpl", work.config.templateId),
        // With reentry "reissue", the new credential takes the place of the suspended one.
        ifExists: credential_id ? "replace" : "return",
      }),
    ),
    { type: "policy", id: publicId("pol", work.policy_id) },
  );
  // A replacement of a suspended credential starts suspended and is resumed here.
  const suspended = issued.flatMap((each) =>
    "row" in each && each.created && each.row.state === "suspended" ? [{ id: each.row.id }] : [],
  );
  await changeSet(ctx, resumption, suspended);
  let made = 0;
  let asked = 0;
  const errors: Refusal[] = [];
  for (const each of issued)
    if ("error" in each) errors.push({ code: each.error.code, message: each.error.message });
    else if ("confirmation" in each) asked++;
    else if (each.created) made++;
  return {
    counts: {
      issue: made,
      confirming: asked,
      keep: issued.length - made - asked - errors.length,
      refused: errors.length,
    },
    refusal: errors[0] ?? null,
  };
}

/** The template issues nothing now. Removals and resumes continue. */
const refused = ({ code, message }: Refusal, rows: Granted[]): Done =>
  rows.length === 0 ? { counts: {}, refusal: null } : { counts: { refused: rows.length }, refusal: { code, message } };

/** Resumes credentials that a policy suspended, and takes over those that another policy issued (docs/decisions/426). */
async function resume(ctx: TxCtx, work: Work, rows: Granted[]): Promise<Done> {
  const inputs = rows.map(({ credential_id }) => ({ id: credential_id! }));
  const locked = await lockCredentials(
    ctx,
    inputs.map(({ id }) => id),
  );
  await takeOver(ctx, locked.values(), publicId("pol", work.policy_id));
  return outcome("resume", await changeSet(ctx, resumption, inputs));
}

/** Extends credentials by the template's duration, counted from their current expiry. */
async function renew(ctx: TxCtx, work: Work, rows: Granted[]): Promise<Done> {
  if (rows.length === 0) return { counts: {}, refusal: null };
  const template = await currentTemplate(ctx.tx.sql, ctx.orgId, work.config.templateId);
  if ("refusal" in template) return refused(template.refusal, rows);
  const { timeZone } = await regionOf(ctx.tx.sql, ctx.orgId);
  const locked = await lockCredentials(
    ctx,
    rows.map(({ credential_id }) => credential_id!),
  );
  const inputs = [...locked.values()].flatMap((row) => {
    const expiresAt = row.expires_at && expiryOf(template.validity, row.expires_at, {}, timeZone);
    return expiresAt ? [{ id: row.id, expiresAt }] : [];
  });
  return outcome("renew", await changeSet(ctx, extension, inputs));
}

function outcome(action: Action, changed: Awaited<ReturnType<typeof changeSet>>): Done {
  const errors = changed.flatMap((each) =>
    "error" in each ? [{ code: each.error.code, message: each.error.message }] : [],
  );
  return { counts: { [action]: changed.length - errors.length, refused: errors.length }, refusal: errors[0] ?? null };
}
