import type { TxCtx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import { newId } from "@/server/core/ids";
import { appendAll } from "@/server/events/append";
import type { Draft } from "./draft";
import type { IssueInput } from "./input";
import { loadLive } from "./load";
import { settle } from "./settle";
import { dueAt, liveStates } from "./states";
import { transition } from "./transition";
import { credentialFactsOf, type CredentialRow } from "./view";

/** The public reason of a credential that a newer one took the place of. */
export const supersededReason = "Superseded by a newer credential.";

/** Each try that fails means that another writer succeeded; so many in a row are no longer chance. */
const maxTries = 100;

/**
 * Stores a draft, or does as `ifExists` says where the subject holds a live credential of the template: the unique index
 * decides, so that any number of identical issues at once make one credential. One that the clock has ended is expired
 * first, with its event. Emits credential.created, and credential.issued where it is valid now.
 */
export async function place(ctx: TxCtx, draft: Draft, ifExists: IssueInput["ifExists"]): Promise<{ row: CredentialRow; created: boolean }> {
  const { ground } = draft;
  let supersedes = draft.supersedes;
  for (let tries = 0; tries < maxTries; tries++) {
    const made = await insert(ctx, { ...draft, supersedes });
    if (made) {
      const due = dueAt(made);
      if (due) ctx.tx.nudgeAfterCommit("credentials", due);
      await appendAll(ctx, [
        { type: "credential.created", resourceId: made.id, object: credentialFactsOf(made) },
        ...(made.state === "active" ? [{ type: "credential.issued" as const, resourceId: made.id, object: credentialFactsOf(made) }] : []),
      ]);
      return { row: made, created: true };
    }
    const found = await loadLive(ctx, ground.subject.id, ground.templateId);
    const [held] = found ? await settle(ctx, [found]) : [];
    if (!held || !liveStates.includes(held.state)) continue;
    if (ifExists === "return") return { row: held, created: false };
    if (ifExists === "fail") {
      throw new DomainError("credential_exists", `The subject holds the credential ${held.id} of this template. Send ifExists to have it returned or replaced.`, {
        members: { credentialId: held.id },
      });
    }
    await transition(ctx, [held], "revoke", { reason: supersededReason, supersededBy: draft.id });
    supersedes = held.id;
  }
  throw new DomainError("conflict", "Too many others are issuing this credential at the same moment. Try again.");
}

async function insert(ctx: TxCtx, draft: Draft): Promise<CredentialRow | undefined> {
  const { ground, source } = draft;
  const [row] = await ctx.tx.sql<CredentialRow>(insertStatement, [
    ctx.orgId, draft.id, draft.code, ground.subject.id, ground.templateId, ground.versionId, ground.kind, draft.state, draft.data, draft.valid_from,
    draft.issued_at, draft.expires_at, draft.supersedes, source.type, source.id, ctx.now, newId("crh"), draft.state === "active" ? "issued" : "created", ctx.actor, draft.metadata,
    draft.expiry_explicit,
  ]);
  return row && { ...row, external_id: ground.subject.external_id };
}

const insertStatement = `
WITH made AS (
  INSERT INTO credentials (org_id, id, code, subject_id, template_id, template_version_id, kind, state, data, valid_from,
    issued_at, expires_at, supersedes, source_type, source_id, metadata, created_at, updated_at, expiry_explicit)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, merge_attributes('{}', $20), $16, $16, $21)
  ON CONFLICT (org_id, subject_id, template_id) WHERE state IN ('pending', 'active', 'suspended') DO NOTHING
  RETURNING *
), noted AS (
  INSERT INTO credential_history (org_id, id, credential_id, action, from_state, to_state, actor, created_at)
  SELECT $1, $17, id, $18, NULL, state, $19, $16 FROM made
)
SELECT * FROM made`;
