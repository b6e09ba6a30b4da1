import { findProof } from "@/server/access/address-proof";
import { sql } from "@/server/core/db";
import { uuidOf, type Id } from "@/server/core/ids";
import { opaque } from "@/server/core/opaque";
import { confirmationUrl } from "@/server/credentials/confirmation";
import { formatCode } from "@/server/credentials/code";
import { readPath } from "@/server/templates/binding";
import { fieldText } from "@/server/templates/field-text";
import type { ClaimState } from "./claim-view";
import { stateAt } from "@/server/credentials/state-sql";
import type { CredentialState } from "@/server/credentials/states";
import { findClaimant } from "./claimant";
import { isDecided, type AskedField } from "./fields";
import type { PublicLink } from "./find-link";
import { findHeld } from "./held";

/** The step of the claim page that a visitor has reached. */
export type Progress =
  | { step: "address" }
  | { step: "code"; email: string }
  /**
   * `recordName`: the name on record of the person with this address; null for a new person, who enters a name.
   * `fields`: the values that the record lacks. `known`: those that it has, with the labels of the form.
   */
  | {
      step: "fields";
      email: string;
      recordName: string | null;
      fields: AskedField[];
      known: { label: string; value: string }[];
    }
  /** The person has the credential, whatever its origin. */
  | { step: "held"; email: string; state: CredentialState; credentialCode: string }
  /** `credentialCode`: the code of the issued credential, for a link to its page. */
  | {
      step: "done";
      email: string;
      state: ClaimState;
      reason: string | null;
      credentialCode: string | null;
      credentialState: CredentialState | null;
      /** The page on which the claimant confirms the name; null unless the claim waits for that. */
      confirmUrl: string | null;
    };

/** Finds the step that the browser with this token has reached. Ignores expired tokens and tokens of other links. */
export async function loadProgress(link: PublicLink, token: string | null, now: Date): Promise<Progress> {
  const proof = token === null ? undefined : await findProof(sql, token, now, "claim");
  if (!proof?.claimLinkId || uuidOf(proof.claimLinkId) !== uuidOf(link.id)) return { step: "address" };
  const { email } = proof;
  if (!proof.provedAt) return { step: "code", email };
  const [claim] = await sql<ClaimProgress>(
    `SELECT c.state, c.reason, c.credential_id, n.token FROM claims c
     LEFT JOIN name_confirmations n ON n.org_id = c.org_id AND n.id = c.confirmation_id AND n.state = 'waiting' AND n.link_expires_at > $4
     WHERE c.org_id = ${opaque("$1")} AND c.claim_link_id = $2 AND c.email = $3`,
    [link.orgId, link.id, email, now],
  );
  if (claim?.state !== "issued" && claim?.state !== "confirming") {
    const claimant = await findClaimant(sql, link.orgId, email);
    const held = claimant && (await findHeld(sql, link, claimant.id, now));
    if (held) return { step: "held", email, state: held.state, credentialCode: formatCode(held.code) };
    if (!claim) {
      const attributes = claimant?.attributes ?? {};
      return {
        step: "fields",
        email,
        recordName: claimant ? claimant.name : null,
        fields: link.fields.filter((field) => !isDecided(field, attributes)),
        known: link.fields
          .filter((field) => isDecided(field, attributes))
          .flatMap(({ label, path, format }) => {
            const value = readPath(attributes, path);
            if (value === null || typeof value === "object") return [];
            return [{ label, value: fieldText({ value, format }, link.region) }];
          }),
      };
    }
  }
  const [credential] = claim.credential_id
    ? await sql<{ code: string; state: CredentialState }>(
        `SELECT c.code, ${stateAt("$3")} AS state FROM credentials c WHERE c.org_id = ${opaque("$1")} AND c.id = $2`,
        [link.orgId, claim.credential_id, now],
      )
    : [];
  return {
    step: "done",
    email,
    state: claim.state,
    reason: claim.reason,
    credentialCode: credential ? formatCode(credential.code) : null,
    credentialState: credential?.state ?? null,
    confirmUrl: claim.token === null ? null : confirmationUrl(claim.token),
  };
}

interface ClaimProgress {
  state: ClaimState;
  reason: string | null;
  credential_id: Id<"crd"> | null;
  token: string | null;
}
