import { sql } from "@/server/core/db";
import { scanText } from "@/server/credentials/scan-text";
import { verifyUrl } from "@/server/credentials/view";
import type { Design } from "@/server/templates/design";
import type { CredentialEvidence } from "./evidence";
import { viewCode, type VerificationContext } from "./verify-code";
import type { OwnVerification } from "./view";

export interface PublicPage {
  verification: OwnVerification;
  /** How the card looks, with only those fields that the template makes public. */
  design: Design;
  url: string;
  /** The content of the QR code: the URL in capitals, and a signed statement if the template asks for it. */
  scanText: string;
  /** The achievement of the credential; null without one, and after the holder was erased. */
  achievement: PublicAchievement | null;
}

export interface PublicAchievement {
  name: string;
  description: string;
  /** `narrative` is Markdown. */
  criteria: { narrative?: string; url?: string };
}

/**
 * Loads what the public page of a credential shows. Emits credential.viewed for a visit.
 * @throws DomainError not_found
 */
export async function loadPublicPage(typed: string, context: VerificationContext): Promise<PublicPage> {
  const { verification, evidence } = await viewCode(typed, context);
  const url = verifyUrl(evidence.code);
  const [design, achievement, text] = await Promise.all([
    publicDesign(evidence),
    publicAchievement(evidence),
    scanText(evidence, context.now),
  ]);
  return { verification, design, achievement, url, scanText: text };
}

/** The published achievement of a credential, which anyone may read at its own URL too. */
async function publicAchievement({
  org_id,
  id,
  kind,
  erased_at,
}: CredentialEvidence): Promise<PublicAchievement | null> {
  if (kind !== "academic" || erased_at) return null;
  const [row] = await sql<PublicAchievement>(
    `SELECT a.name, a.content ->> 'description' AS description, a.content -> 'criteria' AS criteria
     FROM credentials c JOIN achievement_versions a ON a.org_id = c.org_id AND a.id = c.achievement_version_id
     WHERE c.org_id = $1 AND c.id = $2 AND a.published_at IS NOT NULL`,
    [org_id, id],
  );
  return row ?? null;
}

/** Designs of the template versions that were shown last. A version that credentials have is published, and never changes. */
const designs = new Map<string, Design>();
/** A design may contain pictures of half a megabyte. */
const keptDesigns = 100;

async function designOf({ org_id, template_version_id }: CredentialEvidence): Promise<Design> {
  const key = `${org_id} ${template_version_id}`;
  const known = designs.get(key);
  if (known) return known;
  const [row] = await sql<{ design: Design }>(`SELECT design FROM template_versions WHERE org_id = $1 AND id = $2`, [
    org_id,
    template_version_id,
  ]);
  if (designs.size >= keptDesigns) designs.delete(designs.keys().next().value!);
  designs.set(key, row!.design);
  return row!.design;
}

async function publicDesign(evidence: CredentialEvidence): Promise<Design> {
  const { public_fields } = evidence;
  const design = await designOf(evidence);
  const shown = new Set(public_fields?.map(({ key }) => key));
  const publicSide = (side: Design["front"]) =>
    side && { ...side, fields: side.fields.filter(({ key }) => shown.has(key)) };
  return { ...design, front: publicSide(design.front), back: publicSide(design.back) };
}
