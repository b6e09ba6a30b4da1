import { Invalid, Unverifiable } from "../failure";

export type StandardReason =
  | "malformed"
  | "signature_invalid"
  | "issuer_unknown"
  | "revoked"
  | "expired"
  | "suspended"
  | "not_yet_valid"
  | "status_unavailable";

/** What one check found. What could not be looked at is `error`, never a pass (contract section 8). */
export interface StandardCheck {
  name: "format" | "issuer" | "issuer_identity" | "signature" | "vocabulary" | "validity_period" | "status";
  outcome: "pass" | "fail" | "error" | "skipped";
  detail: string;
  reason?: StandardReason;
}

/** The check that tells of a failure. @throws the error, where it is none of ours */
export function failed(name: StandardCheck["name"], error: unknown, reason?: StandardReason): StandardCheck {
  if (!(error instanceof Invalid) && !(error instanceof Unverifiable)) throw error;
  return {
    name,
    outcome: error instanceof Invalid ? "fail" : "error",
    detail: error.message,
    ...(reason && { reason }),
  };
}
