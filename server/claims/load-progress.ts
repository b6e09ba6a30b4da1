import { findProof } from "@/server/access/address-proof";
import { sql } from "@/server/core/db";
import { uuidOf, type Id } from "@/server/core/ids";
import { opaque } from "@/server/core/opaque";
import { formatCode } from "@/server/credentials/code";
import type { ClaimState } from "./claim-view";
import { findClaimant } from "./claimant";
import type { PublicLink } from "./find-link";

/** Which step of the claim page a visitor has reached. */
export type Progress =
  | { step: "address" }
  | { step: "code"; email: string }
  /** `recordName`: the name on record of the person with this address; null for a new person, who enters a name. */
  | { step: "fields"; email: string; recordName: string | null }
  /** `credentialCode`: the code of the issued credential, to link to its page. */
  | { step: "done"; email: string; state: ClaimState; reason: string | null; credentialCode: string | null };

/** Finds the step that the browser with this token has reached. Ignores expired tokens and tokens of other links. */
export async function loadProgress(link: PublicLink, token: string | null, now: Date): Promise<Progress> {
  const proof = token === null ? undefined : await findProof(sql, token, now, "claim");
  if (!proof?.claimLinkId || uuidOf(proof.claimLinkId) !== uuidOf(link.id)) return { step: "address" };
  const { email } = proof;
  if (!proof.provedAt) return { step: "code", email };
  const [claim] = await sql<{ state: ClaimState; reason: string | null; credential_id: Id<"crd"> | null }>(
    `SELECT state, reason, credential_id FROM claims WHERE org_id = ${opaque("$1")} AND claim_link_id = $2 AND email = $3`,
    [link.orgId, link.id, email],
  );
  if (!claim) {
    const claimant = await findClaimant(sql, link.orgId, email);
    return { step: "fields", email, recordName: claimant ? claimant.name : null };
  }
  const [credential] = claim.credential_id
    ? await sql<{ code: string }>(`SELECT code FROM credentials WHERE org_id = ${opaque("$1")} AND id = $2`, [
        link.orgId,
        claim.credential_id,
      ])
    : [];
  return {
    step: "done",
    email,
    state: claim.state,
    reason: claim.reason,
    credentialCode: credential ? formatCode(credential.code) : null,
  };
}
