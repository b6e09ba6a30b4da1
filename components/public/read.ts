import type { Question, ServiceAnswer } from "./ask-service";
import type { OfflineDecision } from "./device/judge";
import type { VerifyOutcome } from "./verify-answer";

/** The source of a read. */
export type Source = "scanned" | "typed" | "pasted" | "file";

/** Something that was scanned, typed, pasted or chosen, with its result. */
export interface Read {
  id: number;
  at: Date;
  source: Source;
  /** The request to the service; null if there is nothing to ask. */
  question: Question | null;
  /** How many requests had no answer. */
  tries: number;
  outcome:
    | VerifyOutcome
    | ServiceAnswer
    | { kind: "checking" }
    /** Decided on this device, from its data. The service is still asked. */
    | { kind: "offline"; word: string; name: string; decision: OfflineDecision }
    /** Several different codes: it is unknown which one is meant. */
    | { kind: "several" }
    /** A HEIC picture, which this browser cannot read. */
    | { kind: "heic" }
    /** A file of zero bytes. */
    | { kind: "empty" }
    /** Answered before this page was reloaded; the answer itself was not stored. */
    | { kind: "earlier"; word: string; name: string };
  /** Its effect on the attendance. */
  note?: string | undefined;
  /** Set for a picture without a QR code. */
  isPlainPicture?: boolean;
}
