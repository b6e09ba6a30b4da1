import type { TxCtx } from "@/server/core/context";
import { publicId } from "@/server/core/ids";
import { changeSet } from "@/server/credentials/change-set";
import { lockCredentials } from "@/server/credentials/load";
import { resumption } from "@/server/credentials/resume";
import { takeOver } from "@/server/credentials/take-over";
import { extension } from "@/server/credentials/update";
import { regionOf } from "@/server/organisations/region";
import { expiryOf } from "@/server/templates/validity";
import { currentTemplate } from "../references";
import type { Action } from "../run-view";
import { isPolicySuspended, nothing, refused, type Done, type Granted } from "./granted";
import type { Work } from "./work";

/**
 * Resumes credentials that a policy suspended, and takes over those that another policy issued (docs/decisions/426). A
 * credential that a person suspended or ended since it was read stays unchanged.
 */
export async function resume(ctx: TxCtx, work: Work, rows: Granted[]): Promise<Done> {
  if (rows.length === 0) return nothing;
  const locked = await lockCredentials(
    ctx,
    rows.map(({ credential_id }) => credential_id!),
  );
  const due = [...locked.values()].filter(isPolicySuspended);
  await takeOver(ctx, due, publicId("pol", work.policy_id));
  const { counts, refusal } = outcome(
    "resume",
    await changeSet(
      ctx,
      resumption,
      due.map(({ id }) => ({ id })),
    ),
  );
  return { counts: { ...counts, blocked: locked.size - due.length }, refusal };
}

/**
 * Extends credentials by the template's duration, counted from their current expiry. If a person has set the end, or
 * suspended or ended a credential since it was read, it stays unchanged.
 */
export async function renew(ctx: TxCtx, work: Work, rows: Granted[]): Promise<Done> {
  if (rows.length === 0) return nothing;
  const template = await currentTemplate(ctx.tx.sql, ctx.orgId, work.config.templateId);
  if ("refusal" in template) return refused(template.refusal, rows);
  const { timeZone } = await regionOf(ctx.tx.sql, ctx.orgId);
  const locked = await lockCredentials(
    ctx,
    rows.map(({ credential_id }) => credential_id!),
  );
  const due = [...locked.values()].filter((row) => row.state === "active" && !row.expiry_explicit);
  const inputs = due.flatMap((row) => {
    const expiresAt = row.expires_at && expiryOf(template.validity, row.expires_at, {}, timeZone);
    return expiresAt ? [{ id: row.id, expiresAt }] : [];
  });
  const { counts, refusal } = outcome("renew", await changeSet(ctx, extension, inputs));
  return { counts: { ...counts, keep: locked.size - due.length }, refusal };
}

function outcome(action: Action, changed: Awaited<ReturnType<typeof changeSet>>): Done {
  const errors = changed.flatMap((each) =>
    "error" in each ? [{ code: each.error.code, message: each.error.message }] : [],
  );
  return { counts: { [action]: changed.length - errors.length, refused: errors.length }, refusal: errors[0] ?? null };
}
