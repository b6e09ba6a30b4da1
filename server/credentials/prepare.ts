import type { TxCtx } from "@/server/core/context";
import { DomainError, notFound } from "@/server/core/errors";
import { requireScope } from "@/server/core/operation";
import { loadSubject } from "@/server/subjects/load";
import { writeSubject } from "@/server/subjects/upsert";
import type { SubjectRow } from "@/server/subjects/view";
import { loadTemplate } from "@/server/templates/load";
import type { Validity } from "@/server/templates/validity";
import type { TemplateKind } from "@/server/templates/view";
import type { IssueInput } from "./input";

/** The subject, locked so that it is neither deleted nor changed before the credential is there, and what it is issued from. */
export interface Ground {
  subject: SubjectRow;
  templateId: string;
  kind: TemplateKind;
  versionId: string;
  validity: Validity;
  /** The organisation's, in which validity is counted. */
  timeZone: string;
  /** What the version's design reads of a subject. */
  bindings: string[];
}

interface GroundRow extends SubjectRow {
  kind: TemplateKind;
  template_status: string;
  version_id: string | null;
  validity: Validity;
  time_zone: string;
  bindings: string[];
}

/**
 * Finds or upserts the subject and finds the template's current version.
 * @throws DomainError not_found, subject_inactive, template_not_published, template_archived; insufficient_scope where the
 * subject would be written and the actor lacks subjects:write.
 */
export async function prepare(ctx: TxCtx, subject: IssueInput["subject"], templateId: string): Promise<Ground> {
  const { id, externalId, ...fields } = subject;
  let row: GroundRow | undefined;
  if (externalId !== undefined && Object.keys(fields).length === 0) row = await ground(ctx, "external_id", externalId, templateId);
  if (row) return usable(row, templateId);
  const subjectId = id ?? (await upserted(ctx, templateId, { externalId: externalId!, ...fields }));
  row = await ground(ctx, "id", subjectId, templateId);
  if (row) return usable(row, templateId);
  await loadTemplate(ctx, templateId);
  await loadSubject(ctx, subjectId);
  throw notFound("subject", subjectId);
}

async function upserted(ctx: TxCtx, templateId: string, input: Parameters<typeof writeSubject>[1]): Promise<string> {
  // It may be the template alone that was not found: that is what a token hears which has no need to write the subject.
  if (!ctx.scopes.has("subjects:write")) await loadTemplate(ctx, templateId);
  requireScope(ctx, "subjects:write");
  return (await writeSubject(ctx, input)).row.id;
}

async function ground(ctx: TxCtx, key: "id" | "external_id", value: string, templateId: string): Promise<GroundRow | undefined> {
  const [row] = await ctx.tx.sql<GroundRow>(
    `SELECT s.id, s.external_id, s.display_name, s.email, s.status, s.attributes, s.created_at, s.updated_at,
       t.kind, t.status AS template_status, v.id AS version_id, v.validity, o.time_zone, v.bindings
     FROM subjects s JOIN organisations o ON o.id = s.org_id JOIN templates t ON t.org_id = s.org_id AND t.id = $3
     LEFT JOIN template_versions v ON v.org_id = t.org_id AND v.template_id = t.id AND v.version = t.current_version
     WHERE s.org_id = $1 AND s.${key} = $2 FOR SHARE OF s`,
    [ctx.orgId, value, templateId],
  );
  return row;
}

function usable(row: GroundRow, templateId: string): Ground {
  const { kind, template_status, version_id, validity, time_zone: timeZone, bindings, ...subject } = row;
  if (template_status === "archived") throw new DomainError("template_archived", "Nothing is issued from an archived template. Publish a version of it, or bring one back.");
  if (version_id === null) throw new DomainError("template_not_published", "The template has no published version. Publish one first.");
  if (subject.status !== "active") {
    throw new DomainError("subject_inactive", "The subject is inactive, and an inactive subject gets no credentials. Set its status to active first.", {
      members: { subjectId: subject.id },
    });
  }
  return { subject, templateId, kind, versionId: version_id, validity, timeZone, bindings };
}
