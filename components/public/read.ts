import type { Question, ServiceAnswer } from "./ask-service";
import type { Answer } from "./verify-answer";

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
    | Answer
    | ServiceAnswer
    | { kind: "checking" }
    /** Several codes that differ: nobody knows which one is meant. */
    | { kind: "several" }
    /** A HEIC picture, which this browser cannot read. */
    | { kind: "heic" }
    /** A file without a byte. */
    | { kind: "empty" }
    /** Answered before this page was loaded again; the answer itself was not kept. */
    | { kind: "earlier"; word: string; name: string };
  /** Set for a picture in which no QR code was found. */
  isPlainPicture?: boolean;
}
