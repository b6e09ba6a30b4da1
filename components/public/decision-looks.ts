import {
  BadgeCheck,
  Ban,
  CalendarClock,
  CalendarX2,
  CircleHelp,
  CirclePause,
  FileQuestionMark,
  RefreshCw,
  type LucideIcon,
} from "lucide-react";
import type { Verification } from "@/server/verification/view";

export interface DecisionLook {
  icon: LucideIcon;
  /** The state in one word or two. */
  word: string;
  /** The same, shorter, for lists and titles. */
  brief?: string;
  /** The word for what held once and may have changed since. */
  past?: string;
  /** What it means for whoever checks. */
  meaning: string;
  /** The same in light and dark: white on these has a contrast of 5 or more. */
  tone: string;
}

const valid: DecisionLook = {
  icon: BadgeCheck,
  word: "Valid",
  past: "Was valid",
  meaning: "This credential is valid at this moment.",
  tone: "bg-[oklch(0.49_0.12_156)] text-white",
};

const unclear: DecisionLook = {
  icon: CircleHelp,
  word: "Could not be checked",
  meaning: "This says nothing for or against the credential. Try again in a moment.",
  tone: "bg-warning text-warning-foreground",
};

/** Its vocabulary or kind of signature is not known here, so another try does not help. */
const unknownHere: DecisionLook = {
  ...unclear,
  meaning:
    "This says nothing for or against the credential. This service does not know the vocabulary or the kind of signature that it uses.",
};

const refusals: Partial<Record<NonNullable<Verification["reason"]>, DecisionLook>> = {
  revoked: {
    icon: Ban,
    word: "Revoked",
    meaning: "This is permanent. Do not accept it.",
    tone: "bg-[oklch(0.52_0.19_26)] text-white",
  },
  suspended: {
    icon: CirclePause,
    word: "Suspended",
    past: "Was suspended",
    meaning: "It is not valid now, and may become valid again.",
    tone: "bg-warning text-warning-foreground",
  },
  expired: {
    icon: CalendarX2,
    word: "Expired",
    meaning: "It is no longer valid.",
    tone: "bg-[oklch(0.42_0.012_235)] text-white",
  },
  not_yet_valid: {
    icon: CalendarClock,
    word: "Not yet valid",
    past: "Was not yet valid",
    meaning: "Do not accept it before.",
    tone: "bg-[oklch(0.45_0.09_260)] text-white",
  },
  superseded: {
    icon: RefreshCw,
    word: "Replaced",
    meaning: "Do not accept it. Whether a newer one is valid is answered by checking that one.",
    tone: "bg-[oklch(0.42_0.012_235)] text-white",
  },
};

const invalid: DecisionLook = { ...refusals.revoked!, word: "Not valid", meaning: "Do not accept it." };

/** Nothing of it was read, so nothing failed: a photo, a PDF, a badge of another kind. */
const notCheckable: DecisionLook = {
  icon: FileQuestionMark,
  word: "This is not something that can be checked here",
  brief: "Cannot be checked here",
  meaning: "It proves nothing, and says nothing against whoever showed it.",
  tone: "bg-[oklch(0.42_0.012_235)] text-white",
};

/** The signature holds, the form does not. */
const misshapen: DecisionLook = {
  ...notCheckable,
  word: "Signed, but not sound",
  brief: "Signed, but not sound",
  meaning: "Do not rely on it. Its issuer can give out a corrected one.",
};

/**
 * How a decision is shown: never by colour alone. Red is only for what was read and failed; what cannot be read
 * (`malformed`) is neutral, unless another check failed as well.
 */
export function decisionLook({
  result,
  reason,
  checks,
}: Pick<Verification, "result" | "reason" | "checks">): DecisionLook {
  if (result === "valid") return valid;
  if (result === "indeterminate") {
    const isUnknownHere = checks.some(
      ({ name, outcome }) => outcome === "error" && (name === "signature" || name === "vocabulary"),
    );
    return isUnknownHere ? unknownHere : unclear;
  }
  if (reason !== "malformed") return (reason && refusals[reason]) || invalid;
  const isOnlyForm = checks.every(
    ({ name, outcome }) => outcome !== "fail" || name === "format" || name === "vocabulary",
  );
  if (!isOnlyForm) return invalid;
  return checks.some(({ name, outcome }) => name === "signature" && outcome === "pass") ? misshapen : notCheckable;
}

/** Whether a document was verified, and not a code: then its signature was looked at, or it was no credential. */
export const isOfDocument = ({
  checks,
  credential,
}: {
  checks: Verification["checks"];
  credential: Pick<Verification["credential"], "kind">;
}): boolean => credential.kind === "external" || checks.some(({ name }) => name === "signature");
