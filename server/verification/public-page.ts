import { sql } from "@/server/core/db";
import { scanText } from "@/server/credentials/scan-text";
import { verifyUrl } from "@/server/credentials/view";
import type { Design } from "@/server/templates/design";
import type { CredentialEvidence } from "./evidence";
import { picturePath } from "./public-picture";
import { shownDesign, type PictureName } from "./shown-design";
import { viewCode, type VerificationContext } from "./verify-code";
import type { OwnVerification } from "./view";

export interface PublicPage {
  verification: OwnVerification;
  /** How the card looks, with only those fields that the template makes public. Its pictures are paths (public-picture.ts). */
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

async function publicDesign(evidence: CredentialEvidence): Promise<Design> {
  const { public_fields, code } = evidence;
  const shown = await shownDesign(evidence);
  const { design } = shown;
  const keys = new Set(public_fields?.map(({ key }) => key));
  const path = (name: PictureName) => picturePath(code, name, shown);
  const publicSide = (name: "front" | "back") => {
    const side = design[name];
    return side && { ...side, fields: side.fields.filter(({ key }) => keys.has(key)), background: path(name) };
  };
  return { ...design, logo: path("logo"), front: publicSide("front"), back: publicSide("back") };
}
