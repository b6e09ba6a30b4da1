import type { TxCtx } from "@/server/core/context";
import { publicId } from "@/server/core/ids";
import { changeSet } from "@/server/credentials/change-set";
import { issueInput } from "@/server/credentials/input";
import { lockSubjects } from "@/server/credentials/issue-context";
import { issueSet } from "@/server/credentials/issue-set";
import { lockCredentials } from "@/server/credentials/load";
import { resumption } from "@/server/credentials/resume";
import type { Counts } from "../run-view";
import { isPolicySuspended, nothing, type Done, type Granted, type Refusal } from "./granted";
import type { Work } from "./work";

/** Issues to people who hold no credential, and replaces those that a policy suspended with reentry "reissue". */
export async function issue(ctx: TxCtx, work: Work, wanted: Granted[]): Promise<Done> {
  if (wanted.length === 0) return nothing;
  const { rows, counts: passedOver } = await stillReplaceable(ctx, wanted);
  const issued = await issueSet(
    ctx,
    rows.map(({ subject_id, credential_id }) =>
      issueInput.parse({
        subject: { id: publicId("sub", subject_id) },
        templateId: publicId("tpl", work.config.templateId),
        // With reentry "reissue", the new credential replaces the suspended one.
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
      ...passedOver,
      issue: made,
      confirming: asked,
      keep: issued.length - made - asked - errors.length,
      refused: errors.length,
    },
    refusal: errors[0] ?? null,
  };
}

/**
 * Leaves out people whose suspended credential a person has suspended again or ended since it was read: a policy does
 * not replace it. Locks people before credentials, as every issue does.
 */
async function stillReplaceable(ctx: TxCtx, rows: Granted[]): Promise<{ rows: Granted[]; counts: Counts }> {
  const replaced = rows.flatMap(({ credential_id }) => credential_id ?? []);
  if (replaced.length === 0) return { rows, counts: {} };
  await lockSubjects(
    ctx,
    rows.map(({ subject_id }) => ({ subject: { id: subject_id } })),
  );
  const locked = await lockCredentials(ctx, replaced);
  const kept = rows.filter(({ credential_id }) => !credential_id || isPolicySuspended(locked.get(credential_id)));
  return { rows: kept, counts: { blocked: rows.length - kept.length } };
}
