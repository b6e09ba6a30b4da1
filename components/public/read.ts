import type { Question, ServiceAnswer } from "./ask-service";
import type { OfflineDecision } from "./device/judge";
import type { VerifyOutcome } from "./verify-answer";

/** How something came here. */
export type Source = "scanned" | "typed" | "pasted" | "file";

/** What was scanned, typed, pasted or chosen, and what it came to. */
export interface Read {
  id: number;
  at: Date;
  source: Source;
  /** What the service is asked; null where there is nothing to ask. */
  question: Question | null;
  /** How often it was asked without an answer. */
  tries: number;
  outcome:
    | VerifyOutcome
    | ServiceAnswer
    | { kind: "checking" }
    /** Decided on this device, from what it knows. The service is asked again. */
    | { kind: "offline"; word: string; name: string; decision: OfflineDecision }
    /** Several codes that differ: nobody knows which one is meant. */
    | { kind: "several" }
    /** A HEIC picture, which this browser cannot read. */
    | { kind: "heic" }
    /** A file without a byte. */
    | { kind: "empty" }
    /** Answered before this page was loaded again; the answer itself was not kept. */
    | { kind: "earlier"; word: string; name: string };
  /** What became of it for the attendance. */
  note?: string | undefined;
  /** Set for a picture in which no QR code was found. */
  isPlainPicture?: boolean;
}
