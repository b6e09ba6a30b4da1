import { formatFrom, formatMoment, formatExactUntil } from "@/server/core/dates";
import { regionOf, type CredentialEvidence } from "./evidence";
import type { Reason } from "./reasons";

/** The result of one check. A check that could not be made is `error`, never a pass (contract section 8). */
export interface Check {
  name: string;
  outcome: "pass" | "fail" | "error" | "skipped";
  detail: string;
  /** Why the credential is not valid; set only by a check that makes it invalid or indeterminate. */
  reason?: Reason;
}

/** Makes one check. Returns undefined if the check does not apply to this credential. */
export type Checker = (evidence: CredentialEvidence, now: Date) => Check | undefined;

/** The checks of a credential that this service issued, in the order of the answer. */
export const checksByCode: readonly Checker[] = [
  codeExists,
  issuer,
  issuerIdentity,
  validityPeriod,
  status,
  supersession,
  holder,
];

function codeExists(): Check {
  return { name: "code_exists", outcome: "pass", detail: "The code belongs to a credential of this service." };
}

function issuer(evidence: CredentialEvidence): Check {
  return {
    name: "issuer",
    outcome: "pass",
    detail: `Issued by ${evidence.issuer_name}, an organisation of this service.`,
  };
}

function issuerIdentity(evidence: CredentialEvidence): Check | undefined {
  if (evidence.is_issuer_name_confirmed) return undefined;
  return {
    name: "issuer_identity",
    outcome: "skipped",
    detail: `The organisation gives itself the name ${evidence.issuer_name}. The operator of this service has not confirmed it.`,
  };
}

function validityPeriod(evidence: CredentialEvidence, now: Date): Check {
  const { state, valid_from, expires_at } = evidence;
  const region = regionOf(evidence);
  const name = "validity_period";
  const over = state === "expired" || (expires_at !== null && expires_at <= now);
  if (over)
    return {
      name,
      outcome: "fail",
      detail: expires_at ? `Was valid through ${formatExactUntil(expires_at, region)}.` : "Expired.",
      reason: "expired",
    };
  if (valid_from > now)
    return {
      name,
      outcome: "fail",
      detail: `Valid from ${formatFrom(valid_from, region)} on.`,
      reason: "not_yet_valid",
    };
  return {
    name,
    outcome: "pass",
    detail: expires_at ? `Valid through ${formatExactUntil(expires_at, region)}.` : "Valid without an end.",
  };
}

function status(evidence: CredentialEvidence): Check {
  const { state, revoked_at, suspended_at } = evidence;
  const name = "status";
  const on = (time: Date | null) => (time ? ` on ${formatMoment(time, regionOf(evidence))}` : "");
  if (state === "revoked") return { name, outcome: "fail", detail: `Revoked${on(revoked_at)}.`, reason: "revoked" };
  if (state === "suspended")
    return { name, outcome: "fail", detail: `Suspended${on(suspended_at)}.`, reason: "suspended" };
  return { name, outcome: "pass", detail: "Neither suspended nor revoked." };
}

function supersession({ superseded_by }: CredentialEvidence): Check {
  const name = "supersession";
  if (superseded_by)
    return { name, outcome: "fail", detail: "A newer credential took its place.", reason: "superseded" };
  return { name, outcome: "pass", detail: "No newer credential took its place." };
}

/** Explains why no name is shown, so that the verifier does not expect one to compare. Undefined if a name is shown. */
function holder({ erased_at, is_name_withheld, is_name_private }: CredentialEvidence): Check | undefined {
  const detail = erased_at
    ? "The holder asked for erasure. This credential names nobody any more."
    : is_name_withheld
      ? "The holder’s record has changed since this credential ended, so no name is shown."
      : is_name_private
        ? "The issuer does not make the holder’s name public. Compare the person with other means."
        : undefined;
  return detail === undefined ? undefined : { name: "holder", outcome: "skipped", detail };
}
