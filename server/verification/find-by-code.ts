import { sql } from "@/server/core/db";
import { lookUp } from "@/server/core/look-up";
import { statementIndex } from "@/server/credentials/scan-text";
import { credentialTitle } from "@/server/credentials/title";
import type { Rendition } from "@/server/subjects/photo-renditions";
import { readsHolder, withoutLaterChanges } from "./after-end";
import type { CredentialEvidence } from "./evidence";

/** SQL: whether anyone may see the photo of the subject `s` on the credential `c` of the template version `v`. */
const showsPhoto = `(c.kind <> 'academic' AND s.photo_at IS NOT NULL AND (s.photo_status = 'approved' OR s.photo_status = 'pending' AND v.photo = 'any')
    AND coalesce(v.public_fields @> '[{"binding": "subject.photo"}]', false))`;

const byCode = `
SELECT c.org_id, c.id, c.subject_id, c.code, c.kind, c.state, c.valid_from, c.issued_at, c.expires_at, CASE WHEN c.kind = 'academic' AND s.erased_at IS NULL THEN c.data ->> 'awardedDate' END AS awarded_date, c.suspended_at, c.suspension_reason,
  c.revoked_at, c.revocation_reason, c.superseded_by, newer.code AS newer_code, c.template_version_id,
  ${credentialTitle} AS title, o.name AS issuer_name, o.name IS NOT DISTINCT FROM o.confirmed_name AS is_issuer_name_confirmed, o.slug AS issuer_slug,
  (SELECT d.domain FROM issuer_domains d WHERE d.org_id = c.org_id AND d.activated_at IS NOT NULL AND d.retired_at IS NULL) AS issuer_domain, o.time_zone, o.locale,
  CASE WHEN NOT v.public_name THEN '' WHEN c.kind = 'academic' THEN coalesce(c.data #>> '{subject,displayName}', s.display_name) ELSE s.display_name END AS display_name,
  NOT v.public_name AND s.erased_at IS NULL AS is_name_private, s.name_at, false AS is_name_withheld, CASE WHEN ${showsPhoto} THEN s.photo_at END AS photo_at,
  s.erased_at, ${statementIndex} AS status_index, CASE WHEN s.erased_at IS NULL THEN v.public_fields END AS public_fields,
  CASE WHEN v.public_fields IS NOT NULL AND s.erased_at IS NULL THEN jsonb_build_object(
    'subject', jsonb_build_object('displayName', s.display_name, 'email', s.email, 'externalId', s.external_id, 'status', s.status)
      || CASE WHEN c.kind = 'academic' THEN coalesce(c.data -> 'subject', '{}') ELSE '{}' END
      || CASE WHEN v.public_name THEN '{}' ELSE '{"displayName": ""}'::jsonb END,
    'attributes', CASE WHEN c.kind = 'academic' THEN coalesce(c.data -> 'attributes', '{}') ELSE s.attributes END,
    'data', c.data) END AS source
FROM credentials c
JOIN organisations o ON o.id = c.org_id
JOIN templates t ON t.org_id = c.org_id AND t.id = c.template_id
JOIN template_versions v ON v.org_id = c.org_id AND v.id = c.template_version_id
CROSS JOIN LATERAL (SELECT * FROM subjects WHERE org_id = c.org_id AND id = c.subject_id OFFSET 0) s
LEFT JOIN LATERAL (SELECT code FROM credentials WHERE org_id = c.org_id AND id = c.superseded_by AND c.linked_publicly OFFSET 0) newer ON true
WHERE c.code = $1`;

/**
 * Finds what the public may know of a credential at this instant, in one query. It needs no organisation, because codes
 * are unique across all organisations.
 */
export async function findByCode(code: string, now: Date): Promise<CredentialEvidence | undefined> {
  const [row] = await lookUp<CredentialEvidence>(sql, byCode, [code]);
  return row && withoutLaterChanges(row, now);
}

type PhotoRow = Pick<CredentialEvidence, "org_id" | "kind" | "state" | "valid_from" | "expires_at" | "revoked_at"> & {
  sha256: string;
};

/**
 * Finds the file of the photo that anyone may see on this credential. One statement both decides and reads the file's
 * name: with two statements, a photo that was set in between would be shown although nobody has approved it.
 */
export async function findPublicPhoto(code: string, rendition: Rendition, now: Date): Promise<PhotoRow | undefined> {
  const [row] = await lookUp<PhotoRow>(
    sql,
    `SELECT c.org_id, c.kind, c.state, c.valid_from, c.expires_at, c.revoked_at, p.sha256 FROM credentials c
     JOIN template_versions v ON v.org_id = c.org_id AND v.id = c.template_version_id
     JOIN subjects s ON s.org_id = c.org_id AND s.id = c.subject_id
     JOIN subject_photos p ON p.org_id = c.org_id AND p.subject_id = c.subject_id AND p.rendition = $2
     WHERE c.code = $1 AND ${showsPhoto}`,
    [code, rendition],
  );
  return row && readsHolder(row, now) ? row : undefined;
}
