import type { TxCtx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import { supersededReason } from "@/server/credentials/insert-credentials";

/**
 * Blanks the personal data in the credentials of a subject. Reasons are free text that may name a person, so they are
 * removed, except those written by the service.
 */
export async function blankCredentials(ctx: TxCtx, subjectId: Id<"sub">): Promise<void> {
  await ctx.tx.sql(
    `UPDATE credentials SET data = '{}', metadata = '{}', recipient = NULL, suspension_reason = NULL, updated_at = $3,
       revocation_reason = CASE WHEN revocation_reason = $4 THEN revocation_reason END
     WHERE org_id = $1 AND subject_id = $2`,
    [ctx.orgId, subjectId, ctx.now, supersededReason],
  );
}

/**
 * Deletes the signed documents of credentials. They contain no name, but results and a hash that can be guessed. Copies
 * that were handed out can still be verified.
 */
export async function deleteBadgeDocuments(ctx: TxCtx, credentialIds: Id<"crd">[]): Promise<void> {
  await ctx.tx.sql(
    `DELETE FROM badge_documents d USING unnest($2::uuid[]) AS given (id)
     CROSS JOIN LATERAL (SELECT ctid AS tid FROM badge_documents WHERE org_id = $1 AND credential_id = given.id OFFSET 0) kept
     WHERE d.ctid = kept.tid`,
    [ctx.orgId, credentialIds],
  );
}

/** Blanks reasons and private notes in the histories of credentials. */
export async function blankHistory(ctx: TxCtx, credentialIds: Id<"crd">[]): Promise<void> {
  await ctx.tx.sql(
    `UPDATE credential_history h SET note = NULL, reason = CASE WHEN h.reason = $3 THEN h.reason END
     FROM unnest($2::uuid[]) AS given (id)
     CROSS JOIN LATERAL (
       SELECT ctid AS tid FROM credential_history WHERE org_id = $1 AND credential_id = given.id AND (reason IS NOT NULL OR note IS NOT NULL) OFFSET 0
     ) written
     WHERE h.ctid = written.tid`,
    [ctx.orgId, credentialIds, supersededReason],
  );
}

/**
 * Blanks the rows of bulk jobs that name the person: those that wait, and those that were refused. A waiting row keeps the
 * fields by which it is refused with subject_erased when its turn comes; of a refused row, that is the reason from now on.
 */
export async function blankBulkRows(
  ctx: TxCtx,
  { names, subjectId }: { names: string[]; subjectId: Id<"sub"> },
): Promise<void> {
  const { code, title, status, message } = new DomainError(
    "subject_erased",
    "This row was refused, and the person whom it named was erased since.",
  );
  await ctx.tx.sql(
    `UPDATE bulk_rows r SET result = r.result || jsonb_build_object('error', $4::jsonb), input = CASE
         WHEN r.ok IS NOT NULL THEN 'null'
         WHEN r.input ? 'id' THEN jsonb_build_object('id', r.input -> 'id') || CASE WHEN r.input ? 'reason' THEN '{"reason":"Not stated"}'::jsonb ELSE '{}' END
         ELSE jsonb_strip_nulls(jsonb_build_object('subject', jsonb_build_object('id', $3::text), 'templateId', r.input -> 'templateId'))
       END
     FROM unnest($2::text[]) AS given (name)
     CROSS JOIN LATERAL (SELECT ctid AS tid FROM bulk_rows WHERE org_id = $1 AND bulk_row_names(input) = left(given.name, 256) OFFSET 0) named
     WHERE r.ctid = named.tid`,
    [ctx.orgId, names, publicId("sub", subjectId), JSON.stringify({ code, title, status, detail: message })],
  );
}

/** Blanks the names of rejected files that named the person by external id, ignoring case. */
export async function blankPhotoRejections(ctx: TxCtx, externalId: string): Promise<void> {
  await ctx.tx.sql(
    `UPDATE photo_rejections SET file_name = NULL, external_id = NULL WHERE org_id = $1 AND lower(external_id) = lower($2) AND external_id IS NOT NULL`,
    [ctx.orgId, externalId],
  );
}

/** Blanks the stored responses of endpoints to these events: a response may repeat what was sent. */
// org_id is compared outside the lateral subqueries: inside them PostgreSQL may read all rows of the organisation for
// each event.
export async function blankAttempts(ctx: TxCtx, eventIds: Id<"evt">[]): Promise<void> {
  await ctx.tx.sql(
    `UPDATE webhook_attempts a SET response_body = NULL, response_headers = NULL
     FROM unnest($2::uuid[]) AS given (id)
     CROSS JOIN LATERAL (SELECT id FROM events WHERE org_id = $1 AND id = given.id OFFSET 0) e
     CROSS JOIN LATERAL (SELECT org_id, id FROM webhook_deliveries WHERE event_id = e.id OFFSET 0) d
     CROSS JOIN LATERAL (SELECT ctid AS tid, org_id, id FROM webhook_attempts WHERE delivery_id = d.id AND (response_body IS NOT NULL OR response_headers IS NOT NULL) OFFSET 0) answered
     WHERE a.ctid = answered.tid AND a.org_id = $1 AND a.id = answered.id AND d.org_id = $1 AND answered.org_id = $1`,
    [ctx.orgId, eventIds],
  );
}

/**
 * Removes the staged rows of connector runs about the person, under the external id or the key by which a connector
 * knows them. Their row is refused when it is sent again.
 */
export async function deleteStagedRows(ctx: TxCtx, subjectId: Id<"sub">, externalId: string): Promise<void> {
  await ctx.tx.sql(
    `DELETE FROM connector_rows r USING connector_runs run
     WHERE run.org_id = $1 AND (run.status IN ('queued', 'running', 'held') OR run.phase = 'clearing') AND r.org_id = $1 AND r.run_id = run.id
       AND r.key = ANY($3::text[] || ARRAY(SELECT key FROM subject_sources WHERE org_id = $1 AND subject_id = $2 AND key IS NOT NULL))`,
    [ctx.orgId, subjectId, [externalId]],
  );
}

/**
 * Removes the data about the person that connector runs keep for 7 days: the state before the run, and rejected rows
 * that name them by an id, the e-mail address or the name.
 */
export async function deleteKeptRows(
  ctx: TxCtx,
  subjectId: Id<"sub">,
  names: { externalId: string; email: string | null; displayName: string },
): Promise<void> {
  await ctx.tx.sql(
    `DELETE FROM connector_changes c USING connector_runs run
     WHERE run.org_id = $1 AND run.undo_until IS NOT NULL AND c.org_id = $1 AND c.run_id = run.id AND c.subject_id = $2`,
    [ctx.orgId, subjectId],
  );
  await ctx.tx.sql(
    `DELETE FROM connector_rejected_rows WHERE org_id = $1 AND EXISTS (
       SELECT FROM unnest(cells) AS cell WHERE lower(trim(cell)) = ANY(
         SELECT lower(name) FROM unnest($3::text[] || ARRAY(SELECT key FROM subject_sources WHERE org_id = $1 AND subject_id = $2 AND key IS NOT NULL)) AS name))`,
    [ctx.orgId, subjectId, [names.externalId, names.email ?? "", names.displayName].filter((name) => name !== "")],
  );
}
