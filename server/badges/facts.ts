import { reading, type Query } from "@/server/core/db";
import type { Ctx } from "@/server/core/context";
import { notFound } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import { statementIndex } from "@/server/credentials/scan-text";
import { credentialTitle } from "@/server/credentials/title";
import type { CredentialState } from "@/server/credentials/states";
import type { RecipientIdentity } from "@/server/issuers/recipient-identity";
import type { Design, DesignField } from "@/server/templates/design";
import type { TemplateKind } from "@/server/templates/view";
import type { StatedAchievement } from "./achievement-document";

/** The stored facts from which the document of a credential is made. */
export interface BadgeFacts {
  id: Id<"crd">;
  code: string;
  kind: TemplateKind;
  subject_id: Id<"sub">;
  /** The stored state: see effectiveState. */
  state: CredentialState;
  valid_from: Date;
  issued_at: Date | null;
  expires_at: Date | null;
  data: Record<string, unknown>;
  /** The holder when the credential was issued, as the credential stores it. */
  external_id: string;
  email: string | null;
  erased_at: Date | null;
  /** As the credential keeps it. */
  display_name: string;
  issuer_name: string;
  recipient_identity: RecipientIdentity;
  slug: string;
  time_zone: string;
  locale: string;
  template_id: Id<"tpl">;
  /** The title of the credential: see credentialTitle. */
  title: string;
  /** The index in the status lists; null unless the template asks for a signed QR code. */
  status_index: number | null;
  /** Whether the template's public page names the holder, and which fields it shows. */
  public_name: boolean;
  public_fields: DesignField[] | null;
  colors: Design["colors"] | null;
  /** A data URL. */
  logo: string | null;
  /** The achievement when the credential was issued; null if the template names none. */
  achievement: StatedAchievement | null;
}

/** The columns of BadgeFacts, for a credential `c`. Each join is a look-up by a full key. */
export const badgeFacts = `c.id, c.code, c.kind, c.subject_id, c.state, c.valid_from, c.issued_at, c.expires_at, c.data, s.erased_at,
  CASE WHEN c.recipient IS NULL THEN s.external_id ELSE c.recipient ->> 'externalId' END AS external_id, CASE WHEN c.recipient IS NULL THEN s.email ELSE c.recipient ->> 'email' END AS email,
  coalesce(c.data #>> '{subject,displayName}', s.display_name) AS display_name, o.name AS issuer_name, o.recipient_identity, o.slug, o.time_zone, o.locale, t.id AS template_id, ${credentialTitle} AS title, v.public_name, v.public_fields, ${statementIndex} AS status_index, v.design -> 'colors' AS colors, v.design ->> 'logo' AS logo,
  CASE WHEN a.id IS NOT NULL THEN jsonb_build_object('id', a.id, 'name', a.name, 'content', a.content,
    'image', (SELECT i.sha256 FROM achievement_images i WHERE i.org_id = a.org_id AND i.version_id = a.id)) END AS achievement
FROM credentials c
JOIN organisations o ON o.id = c.org_id
JOIN templates t ON t.org_id = c.org_id AND t.id = c.template_id
JOIN template_versions v ON v.org_id = c.org_id AND v.id = c.template_version_id
JOIN subjects s ON s.org_id = c.org_id AND s.id = c.subject_id
LEFT JOIN achievement_versions a ON a.org_id = c.org_id AND a.id = c.achievement_version_id`;

/** @throws DomainError not_found, also for a credential of another organisation. */
export async function loadBadgeFacts(ctx: Ctx, id: Id<"crd">): Promise<BadgeFacts> {
  const { sql }: { sql: Query } = reading(ctx);
  const [row] = await sql<BadgeFacts>(`SELECT ${badgeFacts} WHERE c.org_id = $1 AND c.id = $2`, [ctx.orgId, id]);
  if (!row) throw notFound("credential", publicId("crd", id));
  return row;
}
