import { z } from "zod";
import type { Actor } from "@/server/core/context";
import { entityTag } from "@/server/core/entity-tag";
import { publicId, type Id } from "@/server/core/ids";
import { sourceSchema } from "./sources";

export const photoStatuses = ["pending", "approved", "rejected"] as const;
export type PhotoStatus = (typeof photoStatuses)[number];

/** A row of `subjects`, as raw SQL returns it. */
export interface SubjectRow {
  id: Id<"sub">;
  external_id: string;
  display_name: string;
  email: string | null;
  status: string;
  attributes: Record<string, unknown>;
  /** When the photo was last set; null without one. */
  photo_at: Date | null;
  photo_status: PhotoStatus | null;
  photo_reason: string | null;
  photo_by: Actor | null;
  /** Set once and permanently: an erased subject is never written again. */
  erased_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** The columns of SubjectRow. */
export const subjectColumns =
  "id, external_id, display_name, email, status, attributes, photo_at, photo_status, photo_reason, photo_by, erased_at, created_at, updated_at";

export const subjectSchema = z
  .object({
    id: z.string(),
    object: z.literal("subject"),
    externalId: z.string().meta({ description: "The caller's own key." }),
    displayName: z.string(),
    email: z.string().nullable(),
    status: z.enum(["active", "inactive"]),
    attributes: z.record(z.string(), z.unknown()),
    photoUpdatedAt: z.iso.datetime().nullable().meta({ description: "When the photo was last set; null without one." }),
    photoStatus: z.enum(photoStatuses).nullable().meta({
      description:
        "pending until somebody approves or rejects the photo; null without one. Templates with photoApproval show approved ones alone.",
    }),
    photoReason: z.string().nullable().meta({ description: "Why the photo was rejected." }),
    photoSetBy: z
      .object({ type: z.string(), id: z.string() })
      .nullable()
      .meta({ description: "Who set the photo: a member, an API key or an OAuth client. Null without one." }),
    erasedAt: z.iso.datetime().nullable().meta({
      description:
        "When the person was erased; null for everybody else. externalId is a keyed hash from then on, and name, e-mail and attributes are empty.",
    }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    sources: z.array(sourceSchema).optional().meta({
      description:
        "Who provides the subject: each source that wrote it by its externalId. Given where a subject is read, not in the answer to a write.",
    }),
  })
  .meta({ id: "Subject" });

export type SubjectView = z.infer<typeof subjectSchema>;

export function subjectView(row: SubjectRow): SubjectView {
  return {
    id: publicId("sub", row.id),
    object: "subject",
    externalId: row.external_id,
    displayName: row.display_name,
    email: row.email,
    status: row.status as SubjectView["status"],
    attributes: row.attributes,
    photoUpdatedAt: row.photo_at?.toISOString() ?? null,
    photoStatus: row.photo_status,
    photoReason: row.photo_reason,
    photoSetBy: row.photo_by,
    erasedAt: row.erased_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** The ETag of a subject. Its credentials and its sources do not change it. */
export function subjectTag(view: SubjectView): string {
  return entityTag(view, [
    "updatedAt",
    "sources",
    "credentialCount",
    "activeCredentialCount",
    "awaitsPhotoApproval",
    "staged",
  ]);
}

/**
 * The facts of a subject that events carry: no attributes, and no text written about the person. The event of setting
 * the photo already names its setter, as its actor.
 */
export function subjectFactsOf(row: SubjectRow) {
  const { attributes: _, photoReason: __, photoSetBy: ___, ...facts } = subjectView(row);
  return facts;
}
