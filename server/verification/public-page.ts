import { sql } from "@/server/core/db";
import { scanUrl, verifyUrl } from "@/server/credentials/view";
import type { Design } from "@/server/templates/design";
import type { CredentialEvidence } from "./evidence";
import { viewCode, type Look } from "./verify-code";
import type { OwnVerification } from "./view";

export interface PublicPage {
  verification: OwnVerification;
  /** How the card looks, with only those fields that the template makes public. */
  design: Design;
  url: string;
  /** The URL as the QR code holds it: in capitals, because only these fit a QR code's alphanumeric mode. */
  scanUrl: string;
}

/**
 * Loads what the public page of a credential shows. Emits credential.viewed for a visit.
 * @throws DomainError not_found
 */
export async function loadPublicPage(typed: string, look: Look): Promise<PublicPage> {
  const { verification, evidence } = await viewCode(typed, look);
  const url = verifyUrl(evidence.code);
  return { verification, design: await publicDesign(evidence), url, scanUrl: scanUrl(evidence.code) };
}

async function publicDesign({ org_id, template_version_id, public_fields }: CredentialEvidence): Promise<Design> {
  const [row] = await sql<{ design: Design }>(
    `SELECT design - 'back' AS design FROM template_versions WHERE org_id = $1 AND id = $2`,
    [org_id, template_version_id],
  );
  const { front, ...design } = row!.design;
  const shown = new Set(public_fields?.map(({ key }) => key));
  return front ? { ...design, front: { ...front, fields: front.fields.filter(({ key }) => shown.has(key)) } } : design;
}
