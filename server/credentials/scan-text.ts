import type { Id } from "@/server/core/ids";
import { signStatement } from "@/server/issuers/sign-statement";
import type { TemplateKind } from "@/server/templates/view";
import { fragmentOf, writeClaims } from "./statement";
import { effectiveState, liveStates, type CredentialState } from "./states";
import { scanUrl } from "./view";

/** The data of a credential's QR code: only what the public page shows too. */
export interface ScanFacts {
  org_id: Id<"org">;
  code: string;
  kind: TemplateKind;
  title: string;
  /** Empty if the public may not know it. */
  display_name: string;
  issuer_slug: string;
  /** The index in the status lists; null unless the template asks for a signed QR code. */
  status_index: number | null;
  /** As last written: see effectiveState. */
  state: CredentialState;
  valid_from: Date;
  issued_at: Date | null;
  expires_at: Date | null;
  erased_at: Date | null;
}

/** SQL: the status index for ScanFacts, of the credential `c` of the template version `v`. */
export const statementIndex = `CASE WHEN v.signed_qr THEN (SELECT e.index FROM status_entries e WHERE e.org_id = c.org_id AND e.credential_id = c.id) END`;

/**
 * The text of a credential's QR code: its link in capitals. If the template asks for a signed code and the credential
 * has not ended, # and the signed statement follow (decision 517). The text stays the same until its content or the key
 * changes.
 */
export async function scanText(facts: ScanFacts, now: Date): Promise<string> {
  const link = scanUrl(facts.code);
  const { status_index: index } = facts;
  if (index === null || facts.erased_at !== null || !liveStates.includes(effectiveState(facts, now))) return link;
  const payload = writeClaims({
    issuer: facts.issuer_slug,
    code: facts.code,
    kind: facts.kind,
    title: facts.title,
    name: facts.display_name,
    index,
    validFrom: facts.valid_from,
    issuedAt: facts.issued_at,
    expiresAt: facts.expires_at,
  });
  return `${link}#${fragmentOf(await signStatement({ orgId: facts.org_id, now }, payload))}`;
}
