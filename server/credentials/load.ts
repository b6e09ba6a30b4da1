import type { Ctx, TxCtx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { notFound } from "@/server/core/errors";
import { isId } from "@/server/core/ids";
import { opaque } from "@/server/core/opaque";
import { settle } from "./settle";
import { credentialColumns, joinSubject, type CredentialRow } from "./view";

const byId = `
SELECT ${credentialColumns} FROM credentials c ${joinSubject}
WHERE c.org_id = ${opaque("$1")} AND c.id = $2`;

/** @throws DomainError not_found, also for a credential of another organisation. */
export async function loadCredential(ctx: Ctx, id: string, lock: "" | "FOR UPDATE OF c" = ""): Promise<CredentialRow> {
  const [row] = isId("crd", id) ? await reading(ctx).sql<CredentialRow>(`${byId} ${lock}`, [ctx.orgId, id]) : [];
  if (!row) throw notFound("credential", id);
  return row;
}

/** Locks a credential and writes what the clock has decided, so that a command starts from the state that readers see. */
export async function loadForChange(ctx: TxCtx, id: string): Promise<CredentialRow> {
  const [row] = await settle(ctx, [await loadCredential(ctx, id, "FOR UPDATE OF c")]);
  return row!;
}

/** Locks the live credential of a subject and template, as written. */
export async function loadLive(ctx: TxCtx, subjectId: string, templateId: string): Promise<CredentialRow | undefined> {
  const [row] = await ctx.tx.sql<CredentialRow>(
    `SELECT ${credentialColumns} FROM credentials c ${joinSubject}
     WHERE c.org_id = $1 AND c.subject_id = $2 AND c.template_id = $3 AND c.state IN ('pending', 'active', 'suspended') FOR UPDATE OF c`,
    [ctx.orgId, subjectId, templateId],
  );
  return row;
}
