import { formatCode } from "@/server/credentials/code";
import { supersededReason } from "@/server/credentials/insert-credentials";
import { formatDay, formatFrom, formatExactUntil } from "@/server/core/dates";
import { regionOf, type CredentialEvidence } from "./evidence";

/** Why a credential is not valid (contract section 8), the most final first: if several hold, the first is given. */
export const reasons = [
  "malformed",
  "signature_invalid",
  "issuer_unknown",
  "superseded",
  "revoked",
  "expired",
  "suspended",
  "not_yet_valid",
  "status_unavailable",
] as const;
export type Reason = (typeof reasons)[number];

/**
 * The reason as a sentence for the verifier, with days in the issuer's time zone. It includes the issuer's own words,
 * which are public (contract section 7).
 */
export function reasonText(reason: Reason, evidence: CredentialEvidence): string {
  const region = regionOf(evidence);
  const on = (time: Date | null, word = "on") => (time ? ` ${word} ${formatDay(time, region)}` : "");
  switch (reason) {
    case "superseded":
      return `This credential was replaced by a newer one${evidence.newer_code ? `, ${formatCode(evidence.newer_code)}` : ""}${because(ownReason(evidence))}`;
    case "revoked":
      return `This credential was revoked by its issuer${on(evidence.revoked_at)}${because(evidence.revocation_reason)}`;
    case "suspended":
      return `This credential is suspended by its issuer${on(evidence.suspended_at, "since")}${because(evidence.suspension_reason)}`;
    case "expired":
      return evidence.expires_at
        ? `This credential has expired. It was valid through ${formatExactUntil(evidence.expires_at, region)}.`
        : "This credential has expired.";
    case "not_yet_valid":
      return `This credential is not valid before ${formatFrom(evidence.valid_from, region)}.`;
    default:
      return unverifiable[reason];
  }
}

/** Sentences for the reasons that only credentials of other issuers have. */
export const unverifiable = {
  malformed: "This cannot be read as a credential.",
  signature_invalid: "The signature of this credential does not fit its content.",
  issuer_unknown: "The issuer of this credential cannot be identified.",
  status_unavailable: "Whether this credential was revoked cannot be found out at the moment.",
};

const ownReason = ({ revocation_reason }: CredentialEvidence) =>
  revocation_reason === supersededReason ? null : revocation_reason;
const because = (reason: string | null) => (reason ? `: ${reason}` : ".");
