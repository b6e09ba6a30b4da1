import { z } from "zod";
import { entityTag } from "@/server/core/entity-tag";

/** A row of `subjects`, as raw SQL returns it. */
export interface SubjectRow {
  id: string;
  external_id: string;
  display_name: string;
  email: string | null;
  status: string;
  attributes: Record<string, unknown>;
  /** Set once, for good: nothing is written to this subject any more. */
  erased_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** The columns of SubjectRow. */
export const subjectColumns = "id, external_id, display_name, email, status, attributes, erased_at, created_at, updated_at";

export const subjectSchema = z
  .object({
    id: z.string(),
    object: z.literal("subject"),
    externalId: z.string().meta({ description: "The caller's own key." }),
    displayName: z.string(),
    email: z.string().nullable(),
    status: z.enum(["active", "inactive"]),
    attributes: z.record(z.string(), z.unknown()),
    erasedAt: z.iso.datetime().nullable().meta({ description: "When the person was erased; null for everybody else. externalId is a keyed hash from then on, and name, e-mail and attributes are empty." }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "Subject" });

export type SubjectView = z.infer<typeof subjectSchema>;

export function subjectView(row: SubjectRow): SubjectView {
  return {
    id: row.id,
    object: "subject",
    externalId: row.external_id,
    displayName: row.display_name,
    email: row.email,
    status: row.status as SubjectView["status"],
    attributes: row.attributes,
    erasedAt: row.erased_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** The ETag of a subject. What it holds is counted, and no part of it. */
export function subjectTag(view: SubjectView): string {
  return entityTag(view, ["updatedAt", "credentialCount", "activeCredentialCount"]);
}

/** What events tell of a subject: no attributes. */
export function subjectFactsOf(row: SubjectRow) {
  const { attributes: _, ...facts } = subjectView(row);
  return facts;
}
