import { sql } from "@/server/core/db";
import { loadPassFacts } from "../load-pass-facts";
import { requireOffered } from "../require-offered";
import { ensureGooglePass } from "./ensure-pass";
import { saveLink } from "./save-link";
import { googleService, type GoogleService } from "./service";
import { requireIssuer } from "./settings";

/**
 * Returns the link that adds the pass of a credential to Google Wallet to anyone who has its code, if the template offers
 * Google Wallet and the credential is valid. The first call creates the pass at Google and emits
 * credential.channel.provisioned.
 *
 * @throws DomainError not_found; wallet_not_offered; wallet_not_configured; credential_state if the credential is not
 *   valid; unavailable if Google does not accept the pass
 */
export async function publicGooglePass(
  code: string,
  { requestId, now }: { requestId: string; now: Date },
  service: GoogleService = googleService(),
): Promise<string> {
  const facts = await loadPassFacts(code, now);
  requireOffered(facts, "google");
  const { org_id: orgId, id, code: found } = facts.evidence;
  const issuer = await requireIssuer(sql, orgId);
  const ctx = { orgId, actor: { type: "public", id: "anonymous" } as const, scopes: new Set<never>(), requestId, now };
  const row = await ensureGooglePass(ctx, { id, code: found }, issuer, service);
  return saveLink(orgId, row.object_id, issuer);
}
