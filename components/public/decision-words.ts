import { unsignedOpening } from "@/server/standards/verify/unsigned";
import type { Verification } from "@/server/verification/view";

/** The kinds of decisions. */
export type DecisionKind =
  | "valid"
  /** Valid, but the issuer's identity is confirmed only by the document or the organisation itself. */
  | "unconfirmed"
  /** Something could not be checked. */
  | "unclear"
  /** Its vocabulary or kind of signature is not supported here, so another try does not help. */
  | "unknownHere"
  /** Its signature leaves open which statement of its issuer is about what. */
  | "ambiguous"
  | "revoked"
  | "suspended"
  | "expired"
  | "not_yet_valid"
  | "superseded"
  | "invalid"
  /** Without any signature, which is different from a wrong signature. */
  | "unsigned"
  /** Nothing could be read, so nothing failed: a photo, a PDF, a badge of another kind. */
  | "notCheckable"
  /** The signature is valid, but the form is not. */
  | "misshapen";

export interface DecisionWords {
  /** The state in one word or two. */
  word: string;
  /** The same, shorter, for lists and titles. */
  brief?: string;
}

/** The parts of a verification that decide how it is displayed. */
export type Judged = Pick<Verification, "result" | "reason" | "checks"> & {
  credential: Pick<Verification["credential"], "kind"> & {
    issuer: Pick<Verification["credential"]["issuer"], "nameVerified" | "domainVerified">;
  };
};

/** Separate from the display (decision-looks.ts), which is loaded only with the first answer. */
export const decisionWords: Record<DecisionKind, DecisionWords> = {
  valid: { word: "Valid" },
  unconfirmed: { word: "Valid, issuer not confirmed" },
  unclear: { word: "Could not be checked" },
  unknownHere: { word: "Could not be checked" },
  ambiguous: { word: "Not certain" },
  revoked: { word: "Revoked" },
  suspended: { word: "Suspended" },
  expired: { word: "Expired" },
  not_yet_valid: { word: "Not yet valid" },
  superseded: { word: "Replaced" },
  invalid: { word: "Not valid" },
  unsigned: { word: "Not signed" },
  notCheckable: { word: "This is not something that can be checked here", brief: "Cannot be checked here" },
  misshapen: { word: "Signed, but not sound" },
};

/**
 * Red is only for content that was read and failed. Content that cannot be read (`malformed`) is neutral, unless
 * another check failed as well.
 */
export function decisionKind({ result, reason, checks, credential }: Judged): DecisionKind {
  if (result === "valid") {
    const { nameVerified, domainVerified } = credential.issuer;
    return nameVerified || domainVerified ? "valid" : "unconfirmed";
  }
  const has = (outcome: string, ...names: string[]) =>
    checks.some((check) => check.outcome === outcome && names.includes(check.name));
  if (result === "indeterminate") {
    if (has("error", "content")) return "ambiguous";
    return has("error", "signature", "vocabulary") ? "unknownHere" : "unclear";
  }
  if (isUnsigned({ checks })) return "unsigned";
  if (reason !== "malformed") return reason && reason in decisionWords ? (reason as DecisionKind) : "invalid";
  const isOnlyForm = checks.every(
    ({ name, outcome }) => outcome !== "fail" || name === "format" || name === "vocabulary",
  );
  if (!isOnlyForm) return "invalid";
  return has("pass", "signature") ? "misshapen" : "notCheckable";
}

/** Whether the verified document has no signature. */
export const isUnsigned = ({ checks }: Pick<Verification, "checks">): boolean =>
  checks.some(({ name, detail }) => name === "signature" && detail?.startsWith(unsignedOpening));

/** Whether a document was verified and not a code: its signature was checked, or it was not a credential. */
export const isOfDocument = ({
  checks,
  credential,
}: {
  checks: Verification["checks"];
  credential: Pick<Verification["credential"], "kind">;
}): boolean => credential.kind === "external" || checks.some(({ name }) => name === "signature");
