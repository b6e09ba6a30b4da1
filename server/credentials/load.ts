import type { Ctx, TxCtx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { notFound } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import { opaque } from "@/server/core/opaque";
import { applyClock } from "./apply-clock";
import { credentialColumns, joinSubject, type CredentialRow } from "./view";

const byId = `
SELECT ${credentialColumns} FROM credentials c ${joinSubject}
WHERE c.org_id = ${opaque("$1")} AND c.id = $2`;

/** @throws DomainError not_found, also for a credential of another organisation. */
export async function loadCredential(ctx: Ctx, id: Id<"crd">): Promise<CredentialRow> {
  const [row] = await reading(ctx).sql<CredentialRow>(byId, [ctx.orgId, id]);
  if (!row) throw notFound("credential", publicId("crd", id));
  return row;
}

/**
 * Locks a credential and writes the state changes that it is due for, so that a command starts from the state that
 * readers see.
 */
export async function loadForChange(ctx: TxCtx, id: Id<"crd">): Promise<CredentialRow> {
  // The lock is a statement of its own. A statement that waits for a lock still reads the subject as it was before the
  // wait, and the transaction that it waited for may have erased the subject.
  ctx.tx.send(`SELECT FROM credentials WHERE org_id = $1 AND id = $2 FOR UPDATE`, [ctx.orgId, id]);
  const [row] = await applyClock(ctx, [await loadCredential(ctx, id)]);
  return row!;
}

/**
 * Locks a set of credentials in the order of their ids, so that two sets with the same credentials cannot deadlock.
 * @returns the credentials that the organisation has, as written, by their ids.
 */
export async function lockCredentials(ctx: TxCtx, ids: Id<"crd">[]): Promise<Map<Id<"crd">, CredentialRow>> {
  const values = [ctx.orgId, [...new Set(ids)].sort()];
  // Two statements, for the reason that loadForChange gives.
  ctx.tx.send(lockAll, values);
  const rows = await ctx.tx.sql<CredentialRow>(readAll, values);
  return new Map(rows.map((row) => [row.id, row]));
}

const lockAll = `
SELECT FROM unnest($2::uuid[]) AS given (id)
CROSS JOIN LATERAL (SELECT FROM credentials WHERE org_id = $1 AND credentials.id = given.id FOR UPDATE) c`;

const readAll = `
SELECT ${credentialColumns} FROM unnest($2::uuid[]) AS given (id)
CROSS JOIN LATERAL (SELECT * FROM credentials WHERE org_id = $1 AND credentials.id = given.id OFFSET 0) c ${joinSubject}`;

/** Locks the live credentials of these subjects and templates in the order of the subjects. Returns them as written. */
export async function lockLive(
  ctx: TxCtx,
  holdings: { subjectId: Id<"sub">; templateId: Id<"tpl"> }[],
): Promise<CredentialRow[]> {
  const ordered = holdings.toSorted((a, b) => (a.subjectId < b.subjectId ? -1 : 1));
  return ctx.tx.sql<CredentialRow>(
    `SELECT ${credentialColumns} FROM unnest($2::uuid[], $3::uuid[]) AS given (subject_id, template_id)
     CROSS JOIN LATERAL (
       SELECT * FROM credentials WHERE org_id = $1 AND subject_id = given.subject_id AND template_id = given.template_id
         AND exclusive AND state IN ('pending', 'active', 'suspended') FOR UPDATE
     ) c ${joinSubject}`,
    [ctx.orgId, ordered.map(({ subjectId }) => subjectId), ordered.map(({ templateId }) => templateId)],
  );
}
