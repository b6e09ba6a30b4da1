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

/** The result of one check. A check that could not be made is `error`, never a pass (contract section 8). */
export interface StandardCheck {
  name:
    | "format"
    | "issuer"
    | "key"
    | "issuer_identity"
    | "signature"
    | "vocabulary"
    | "content"
    | "validity_period"
    | "status";
  outcome: "pass" | "fail" | "error" | "skipped";
  detail: string;
  reason?: StandardReason;
}

/** The result of a check that threw: Invalid is `fail`, Unverifiable is `error`. @throws any other error again */
export function failed(name: StandardCheck["name"], error: unknown, reason?: StandardReason): StandardCheck {
  if (!(error instanceof Invalid) && !(error instanceof Unverifiable)) throw error;
  return {
    name,
    outcome: error instanceof Invalid ? "fail" : "error",
    detail: error.message,
    ...(reason && { reason }),
  };
}
