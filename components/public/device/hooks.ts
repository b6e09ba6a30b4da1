import type { Question } from "../ask-service";
import type { Read } from "../read";
import type { OfflineDecision } from "./judge";

/** Functions that the offline part adds to the page of checks, once it is loaded (bundle/browser/device.ts). */
interface Device {
  /** Checks the signed statement of a code with what this device knows; null if there is no statement. */
  check?(question: Question): Promise<Read["outcome"] | null>;
  /** Records the result of a read. Returns in words how it affects the attendance. */
  noteOutcome?(id: number, question: Question, outcome: Read["outcome"]): string | undefined;
  /** Renders the decision of `check` into an element. */
  show?(place: Element, answer: { decision: OfflineDecision; isBrief: boolean }): void;
}

/** Stored on the window, because the bundles of the page and of the device each contain this file. */
export const device = (): Device => ((window as { bonafideDevice?: Device }).bonafideDevice ??= {});
