import type { Question } from "../ask-service";
import type { Read } from "../read";
import type { OfflineDecision } from "./judge";

/** What the scanner without a connection adds to the page that checks credentials, once it is loaded (bundle/browser/device.ts). */
interface Device {
  /** Checks the signed statement of a code with what this device knows; null where there is none. */
  check?(question: Question): Promise<Read["outcome"] | null>;
  /** Notes what a read came to; says in words what became of it for the attendance. */
  noteOutcome?(id: number, question: Question, outcome: Read["outcome"]): string | undefined;
  /** Draws the decision of `check` into an element. */
  show?(place: Element, answer: { decision: OfflineDecision; isBrief: boolean }): void;
}

/** Of the window, since the bundle of that page and that of the device each have this file. */
export const device = (): Device => ((window as { bonafideDevice?: Device }).bonafideDevice ??= {});
