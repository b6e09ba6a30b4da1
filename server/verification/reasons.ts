import { formatCode } from "@/server/credentials/code";
import { supersededReason } from "@/server/credentials/place";
import type { CredentialEvidence } from "./find-by-code";

/** Why a credential is not valid (contract section 8), the most final first: where several hold, the first is told. */
export const reasons = [
  "malformed", "signature_invalid", "issuer_unknown", "superseded", "revoked", "expired", "suspended", "not_yet_valid", "status_unavailable",
] as const;
export type Reason = (typeof reasons)[number];

const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });

/** The reason in words for whoever checks. Reasons that the issuer typed are public (contract section 7). */
export function reasonText(reason: Reason, evidence: CredentialEvidence): string {
  switch (reason) {
    case "superseded":
      return `This credential was replaced by a newer one${evidence.newer_code ? `, ${formatCode(evidence.newer_code)}` : ""}${because(ownReason(evidence))}`;
    case "revoked":
      return `This credential was revoked by its issuer${on(evidence.revoked_at)}${because(evidence.revocation_reason)}`;
    case "suspended":
      return `This credential is suspended by its issuer${since(evidence.suspended_at)}${because(evidence.suspension_reason)}`;
    case "expired":
      return `This credential expired${on(evidence.expires_at)}.`;
    case "not_yet_valid":
      return `This credential is not valid before ${day.format(evidence.valid_from)}.`;
    default:
      return unverifiable[reason];
  }
}

const unverifiable = {
  malformed: "This cannot be read as a credential.",
  signature_invalid: "The signature of this credential does not fit its content.",
  issuer_unknown: "The issuer of this credential cannot be identified.",
  status_unavailable: "Whether this credential was revoked cannot be found out at the moment.",
};

const ownReason = ({ revocation_reason }: CredentialEvidence) => (revocation_reason === supersededReason ? null : revocation_reason);
const on = (time: Date | null) => (time ? ` on ${day.format(time)}` : "");
const since = (time: Date | null) => (time ? ` since ${day.format(time)}` : "");
const because = (reason: string | null) => (reason ? `: ${reason}` : ".");
