import { z } from "zod";
import { entityTag } from "@/server/core/entity-tag";
import { env } from "@/server/core/env";
import { metadataSchema } from "@/server/core/free-json";
import { asId, publicId, type Id } from "@/server/core/ids";
import { warningSchema } from "@/server/core/warning";
import { templateKinds, type TemplateKind } from "@/server/templates/view";
import { formatCode } from "./code";
import { credentialStates, effectiveState, type CredentialState } from "./states";
import { unnamedCredential } from "./unnamed";

export const sourceTypes = ["api", "policy", "console", "bulk"] as const;

/** A row of `credentials` with its subject's externalId and erasure, as raw SQL returns it. */
export interface CredentialRow {
  id: Id<"crd">;
  code: string;
  subject_id: Id<"sub">;
  external_id: string;
  /** When the holder was erased. */
  subject_erased_at: Date | null;
  template_id: Id<"tpl">;
  template_version_id: Id<"tpv">;
  /** The version of the achievement that it states. */
  achievement_version_id: Id<"acv"> | null;
  kind: TemplateKind;
  /** The state that was last written; see effectiveState. */
  state: CredentialState;
  data: Record<string, unknown>;
  valid_from: Date;
  issued_at: Date | null;
  expires_at: Date | null;
  suspended_at: Date | null;
  suspension_reason: string | null;
  /** A policy suspended it, and a policy may resume it. */
  suspended_by_policy: boolean;
  revoked_at: Date | null;
  revocation_reason: string | null;
  supersedes: Id<"crd"> | null;
  superseded_by: Id<"crd"> | null;
  linked_publicly: boolean;
  expiry_explicit: boolean;
  source_type: (typeof sourceTypes)[number];
  source_id: string | null;
  /** The caller's own data: never public, never in events. */
  metadata: Record<string, unknown>;
  /** The channels through which it was sent to its holder: server/channels. */
  channels: { id: string; type: string; status: string }[];
  created_at: Date;
  updated_at: Date;
}

/** The columns of CredentialRow, where `c` is the credential and `s` its subject. */
export const credentialColumns = `c.id, c.code, c.subject_id, s.external_id, s.subject_erased_at, c.template_id, c.template_version_id, c.achievement_version_id, c.kind, c.state, c.data, c.valid_from,
  c.issued_at, c.expires_at, c.suspended_at, c.suspension_reason, c.suspended_by_policy, c.revoked_at, c.revocation_reason, c.supersedes, c.superseded_by, c.linked_publicly, c.expiry_explicit,
  c.source_type, c.source_id, c.metadata, c.created_at, c.updated_at,
  ARRAY(SELECT jsonb_build_object('id', ch.id, 'type', ch.type, 'status', ch.status) FROM (
    SELECT id, type, status FROM credential_channels WHERE org_id = c.org_id AND credential_id = c.id ORDER BY type = 'apple_wallet', id DESC LIMIT 20
  ) ch ORDER BY ch.id) AS channels`;

/**
 * Joins the subject `s` to a credential `c`, for credentialColumns. OFFSET 0 leaves PostgreSQL one plan: look up each
 * subject by its whole primary key (docs/decisions/143).
 */
export const joinSubject = `CROSS JOIN LATERAL (SELECT external_id, erased_at AS subject_erased_at FROM subjects WHERE org_id = c.org_id AND id = c.subject_id OFFSET 0) s`;

const time = z.iso.datetime();

export const credentialSchema = z
  .object({
    id: z.string(),
    object: z.literal("credential"),
    code: z.string().meta({ description: "The public code, XXXX-XXXX-XXXX-XXXX." }),
    subjectId: z.string(),
    templateId: z.string(),
    templateVersionId: z.string(),
    achievementVersionId: z.string().nullable().meta({
      description: "The version of the achievement that an academic credential states: the current one at issue.",
    }),
    kind: z.enum(templateKinds),
    state: z.enum(credentialStates),
    data: z.record(z.string(), z.unknown()).meta({
      description: "What was sent with it; for academic credentials also the snapshot in subject and attributes.",
    }),
    validFrom: time,
    issuedAt: time.nullable().meta({ description: "When it became valid; null while it is pending." }),
    expiresAt: time.nullable().meta({
      description: "An exclusive instant. People read the last day before it, in the organisation's time zone.",
    }),
    suspendedAt: time.nullable(),
    suspensionReason: z.string().nullable().meta({ description: "Public." }),
    revokedAt: time.nullable(),
    revocationReason: z
      .string()
      .nullable()
      .meta({ description: "Public: returned to anyone who verifies the credential." }),
    supersedes: z.string().nullable(),
    supersededBy: z.string().nullable(),
    metadata: metadataSchema,
    linkedPublicly: z.boolean().meta({
      description: "Whether the public page and verification of this credential name the one in supersededBy.",
    }),
    verifyUrl: z.string(),
    channels: z.array(z.object({ id: z.string(), type: z.string(), status: z.string() })).meta({
      description: "At most 20: e-mail first, then the newest phones. GET /v1/credentials/{id}/channels lists all.",
    }),
    source: z.object({ type: z.enum(sourceTypes), id: z.string().nullable() }),
    warnings: z.array(warningSchema).meta({
      description:
        "What is likely to be a mistake. unnamed_holder: the holder of an academic credential had no name at issue, so its certificate names nobody.",
    }),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: "Credential" });

export type CredentialView = z.infer<typeof credentialSchema>;

/** Returns a credential as it is at an instant. */
export function credentialView(row: CredentialRow, now: Date): CredentialView {
  const state = effectiveState(row, now);
  return {
    id: publicId("crd", row.id),
    object: "credential",
    code: formatCode(row.code),
    subjectId: publicId("sub", row.subject_id),
    templateId: publicId("tpl", row.template_id),
    templateVersionId: publicId("tpv", row.template_version_id),
    achievementVersionId: publicId("acv", row.achievement_version_id),
    kind: row.kind,
    state,
    data: row.data,
    validFrom: row.valid_from.toISOString(),
    issuedAt: issuedAt(row, now)?.toISOString() ?? null,
    expiresAt: row.expires_at?.toISOString() ?? null,
    suspendedAt: row.suspended_at?.toISOString() ?? null,
    suspensionReason: row.suspension_reason,
    revokedAt: row.revoked_at?.toISOString() ?? null,
    revocationReason: row.revocation_reason,
    supersedes: publicId("crd", row.supersedes),
    supersededBy: publicId("crd", row.superseded_by),
    metadata: row.metadata,
    linkedPublicly: row.linked_publicly,
    verifyUrl: verifyUrl(row.code),
    channels: row.channels.map(({ id, type, status }) => ({ id: publicId("chn", asId(id)), type, status })),
    source: { type: row.source_type, id: row.source_id },
    warnings: unnamedCredential(row, state),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/**
 * The ETag of a credential. When the sweep writes a state change that was due, `updatedAt` changes but the ETag does
 * not.
 */
export function credentialTag(view: CredentialView): string {
  return entityTag(view, ["updatedAt", "verifyUrl", "channels"]);
}

/** When the credential became valid, even if the sweep has not written that yet. */
export function issuedAt(row: Pick<CredentialRow, "state" | "issued_at" | "valid_from">, now: Date): Date | null {
  if (row.issued_at !== null || row.state !== "pending") return row.issued_at;
  return row.valid_from <= now ? row.valid_from : null;
}

/** The URL of a credential's public page. */
export function verifyUrl(code: string): string {
  return `${env().PUBLIC_URL}/c/${formatCode(code)}`;
}

/** The same URL for a QR code: in capitals, because the alphanumeric mode of QR codes has no lower case. */
export const scanUrl = (code: string): string => verifyUrl(code).toUpperCase();

/**
 * The URL at which anyone who may see the holder's photo gets it. Each photo has its own URL, so that no cache shows
 * the previous one.
 * @param setAt when the photo was set
 */
export function photoUrl(code: string, setAt: Date): string {
  return `${env().PUBLIC_URL}/public/credentials/${formatCode(code)}/photo/3x?v=${setAt.getTime().toString(36)}`;
}

/** The facts of a credential in events, as it was written: no data. */
export function credentialFactsOf(row: CredentialRow) {
  return {
    object: "credential" as const,
    id: publicId("crd", row.id),
    code: formatCode(row.code),
    kind: row.kind,
    state: row.state,
    subjectId: publicId("sub", row.subject_id),
    externalId: row.external_id,
    templateId: publicId("tpl", row.template_id),
    templateVersionId: publicId("tpv", row.template_version_id),
    issuedAt: row.issued_at?.toISOString() ?? null,
    expiresAt: row.expires_at?.toISOString() ?? null,
    suspendedAt: row.suspended_at?.toISOString() ?? null,
    suspensionReason: row.suspension_reason,
    revokedAt: row.revoked_at?.toISOString() ?? null,
    revocationReason: row.revocation_reason,
    supersedes: publicId("crd", row.supersedes),
    supersededBy: publicId("crd", row.superseded_by),
  };
}
