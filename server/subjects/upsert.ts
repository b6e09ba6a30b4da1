import type { TxCtx } from "@/server/core/context";
import { changedMeanwhile, ifMatch, requireMatch } from "@/server/core/entity-tag";
import { newId } from "@/server/core/ids";
import { command } from "@/server/core/operation";
import { append } from "@/server/events/append";
import { areTooLarge, overgrown } from "./attributes";
import { changeEvent } from "./change-event";
import { externalIdTaken, upsertInput, type UpsertInput } from "./input";
import { subjectColumns, subjectTag, subjectView, type SubjectRow } from "./view";

/**
 * Creates or updates a subject, idempotent on externalId (spec 2.1). Emits subject.created, subject.updated or
 * subject.deactivated, and nothing where nothing changed. Touches no credential.
 *
 * @throws DomainError external_id_taken with `ifExists: "fail"`, naming the subject that has the externalId.
 */
export const upsertSubject = command({
  name: "subjects.upsert",
  scope: "subjects:write",
  input: upsertInput.extend({ ifMatch }),
  async run(ctx, { ifMatch: wanted, ...input }) {
    if (wanted !== undefined) await requireUnchanged(ctx, input.externalId, wanted);
    const { row, created } = await writeSubject(ctx, input);
    return { subject: subjectView(row), created };
  },
  tag: ({ subject }) => subjectTag(subject),
});

/** If-Match asks for a subject that is there, and as it was. */
async function requireUnchanged(ctx: TxCtx, externalId: string, wanted: string): Promise<void> {
  const [row] = await ctx.tx.sql<SubjectRow>(`SELECT ${subjectColumns} FROM subjects WHERE org_id = $1 AND external_id = $2 FOR UPDATE`, [ctx.orgId, externalId]);
  if (!row) throw changedMeanwhile();
  requireMatch(wanted, subjectTag(subjectView(row)));
}

interface Written extends SubjectRow {
  old_id: string | null;
  old_display_name: string;
  old_email: string | null;
  old_status: string;
}

/** The upsert itself, for operations that take a subject in passing (issue). */
export async function writeSubject(ctx: TxCtx, input: UpsertInput): Promise<{ row: SubjectRow; created: boolean }> {
  const [written] = await ctx.tx.sql<Written>(upsertStatement(input), [
    ctx.orgId, newId("sub"), input.externalId, input.displayName ?? "", input.email || null, input.status ?? "active",
    JSON.stringify(input.attributes ?? {}), ctx.now,
  ]);
  if (!written) {
    const row = await unchanged(ctx, input.externalId);
    if (input.ifExists === "fail") throw externalIdTaken(input.externalId, row.id);
    return { row, created: false };
  }
  if (input.attributes !== undefined && areTooLarge(written.attributes)) throw overgrown();
  const created = written.old_id === null;
  await append(ctx, changeEvent(written, created ? null : {
    displayName: written.old_display_name, email: written.old_email, status: written.old_status,
  }));
  return { row: written, created };
}

// A field that was not sent stays as it is. No row comes back where nothing would change: then nothing is written.
const variants = new Map<string, string>();
function upsertStatement(input: UpsertInput): string {
  const key = [input.displayName, input.email, input.status, input.attributes].map((v) => (v === undefined ? 0 : 1)).join("") + input.attributesMode + input.ifExists;
  let text = variants.get(key);
  if (!text) variants.set(key, (text = buildStatement(input)));
  return text;
}

function buildStatement(input: UpsertInput): string {
  const next = {
    display_name: input.displayName === undefined ? "s.display_name" : "excluded.display_name",
    email: input.email === undefined ? "s.email" : "excluded.email",
    status: input.status === undefined ? "s.status" : "excluded.status",
    attributes:
      input.attributes === undefined ? "s.attributes"
      : input.attributesMode === "replace" ? "excluded.attributes"
      : "merge_attributes(s.attributes, $7::jsonb)",
  };
  const sent = input.attributesMode === "replace" ? "$7::jsonb" : "merge_attributes('{}', $7::jsonb)";
  return `
INSERT INTO subjects AS s (org_id, id, external_id, display_name, email, status, attributes, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, ${sent}, $8, $8)
ON CONFLICT (org_id, external_id) DO ${input.ifExists === "fail" ? "NOTHING" : `UPDATE SET
  display_name = ${next.display_name}, email = ${next.email}, status = ${next.status}, attributes = ${next.attributes}, updated_at = excluded.updated_at
WHERE (s.display_name, s.email, s.status, s.attributes)
  IS DISTINCT FROM (${next.display_name}, ${next.email}, ${next.status}, ${next.attributes})`}
RETURNING new.id, new.external_id, new.display_name, new.email, new.status, new.attributes, new.created_at, new.updated_at,
  old.id AS old_id, old.display_name AS old_display_name, old.email AS old_email, old.status AS old_status`;
}

async function unchanged(ctx: TxCtx, externalId: string): Promise<SubjectRow> {
  const [row] = await ctx.tx.sql<SubjectRow>(`SELECT ${subjectColumns} FROM subjects WHERE org_id = $1 AND external_id = $2`, [ctx.orgId, externalId]);
  return row!;
}
