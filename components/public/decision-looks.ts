import {
  BadgeAlert,
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
import { decisionKind, decisionWords, type DecisionKind, type DecisionWords, type Judged } from "./decision-words";
import { say } from "./words";

interface Look {
  icon: LucideIcon;
  /** The word for a decision that may have changed since. */
  past?: string;
  /** What it means for the person who checks. */
  meaning: string;
  /** The same in light and dark: white on these has a contrast of 5 or more. */
  tone: string;
}

export type DecisionLook = Look & DecisionWords;

const red = "bg-[oklch(0.52_0.19_26)] text-white";
const grey = "bg-[oklch(0.42_0.012_235)] text-white";
const amber = "bg-warning text-warning-foreground";

const looks: Record<DecisionKind, Look> = {
  valid: {
    icon: BadgeCheck,
    past: "Was valid",
    meaning: "This credential is valid at this moment.",
    tone: "bg-[oklch(0.49_0.12_156)] text-white",
  },
  // Neither the green nor the icon of a confirmed issuer, because anybody can use this name.
  unconfirmed: {
    icon: BadgeAlert,
    past: "Was valid",
    meaning: "It is valid. But nobody confirms who the issuer is: the organisation gives itself its name.",
    tone: amber,
  },
  unclear: {
    icon: CircleHelp,
    meaning: "This says nothing for or against the credential. Try again in a moment.",
    tone: amber,
  },
  unknownHere: {
    icon: CircleHelp,
    meaning:
      "This says nothing for or against the credential. This service does not know the vocabulary or the kind of signature that it uses.",
    tone: amber,
  },
  ambiguous: {
    icon: FileQuestionMark,
    meaning: "Do not rely on it. Ask the issuer what it states; checking again does not help.",
    tone: amber,
  },
  revoked: { icon: Ban, meaning: "This is permanent. Do not accept it.", tone: red },
  suspended: {
    icon: CirclePause,
    past: "Was suspended",
    meaning: "It is not valid now, and may become valid again.",
    tone: amber,
  },
  expired: { icon: CalendarX2, meaning: "It is no longer valid.", tone: grey },
  not_yet_valid: {
    icon: CalendarClock,
    past: "Was not yet valid",
    meaning: "Do not accept it before.",
    tone: "bg-[oklch(0.45_0.09_260)] text-white",
  },
  superseded: {
    icon: RefreshCw,
    meaning: "Do not accept it. Check the newer one instead.",
    tone: grey,
  },
  invalid: { icon: Ban, meaning: "Do not accept it.", tone: red },
  unsigned: { icon: FileQuestionMark, meaning: "Do not accept it as it is.", tone: red },
  notCheckable: {
    icon: FileQuestionMark,
    meaning: "It proves nothing, and says nothing against whoever showed it.",
    tone: grey,
  },
  misshapen: {
    icon: FileQuestionMark,
    meaning: "Do not rely on it. Its issuer can give out a corrected one.",
    tone: grey,
  },
};

/** How a decision is displayed: never by colour alone. */
export function decisionLook(verification: Judged): DecisionLook {
  const kind = decisionKind(verification);
  const { word, brief, past, meaning, ...look }: DecisionLook = { ...decisionWords[kind], ...looks[kind] };
  const isDocument = kind === "unconfirmed" && verification.credential.kind === "external";
  return {
    ...look,
    word: say(word),
    ...(brief !== undefined && { brief: say(brief) }),
    ...(past !== undefined && { past: say(past) }),
    meaning: isDocument
      ? say("Its signature holds. But nobody confirms who the issuer is, and anybody can sign in any name.")
      : say(meaning),
  };
}
