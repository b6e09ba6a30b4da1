import { sql } from "@/server/core/db";
import { scanText } from "@/server/credentials/scan-text";
import type { Design } from "@/server/templates/design";
import type { CredentialEvidence } from "@/server/verification/evidence";
import { examine, type Examined } from "@/server/verification/verify-code";

/** The parts of a design that a pass uses. */
export type PassDesign = Pick<Design, "colors" | "logo" | "wallet"> & {
  /** The background picture of the front, a data URL. */
  background: string | null;
  /** The keys of the fields on the back of the card. */
  backKeys: string[];
};

/** The content of a pass: what the public page of the credential shows now, and the design. */
export interface PassFacts extends Examined {
  design: PassDesign;
  /** What the QR code holds. */
  scanText: string;
}

/**
 * Loads the content of a credential's pass. Anyone who has the code can add a pass, so a pass shows no more than the
 * public page (decision 437).
 *
 * @throws DomainError not_found
 */
export async function loadPassFacts(code: string, now: Date): Promise<PassFacts> {
  const examined = await examine(code, now);
  const { evidence } = examined;
  const [design, text] = await Promise.all([designOf(evidence), scanText(evidence, now)]);
  return { ...examined, design, scanText: text };
}

async function designOf({ org_id, template_version_id }: CredentialEvidence): Promise<PassDesign> {
  const [row] = await sql<PassDesign>(
    `SELECT design -> 'colors' AS colors, design ->> 'logo' AS logo, design -> 'wallet' AS wallet, design #>> '{front,background}' AS background,
       jsonb_path_query_array(design, '$.back.fields[*].key') AS "backKeys"
     FROM template_versions WHERE org_id = $1 AND id = $2`,
    [org_id, template_version_id],
  );
  return row!;
}
