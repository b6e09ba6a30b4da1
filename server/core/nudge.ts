import { processState } from "./process-state";

/**
 * What was written and is now due: events to number and deliver, deliveries to send (again), a bulk job to run,
 * credentials that start or expire, a run of a connector, an e-mail to send, rule groups to evaluate.
 */
export type NudgeTopic = "events" | "deliveries" | "bulk" | "connectors" | "credentials" | "mails" | "groups";

type Nudge = (topic: NudgeTopic, at?: Date) => void;

const state = processState("nudge", (): { nudge?: Nudge | undefined } => ({}));

/** Called by the job engine at its start and its end (inngest/engine.ts). */
export function setNudge(nudge: Nudge | undefined): void {
  state.nudge = nudge;
}

/**
 * Wakes the sequencer (events) or the engine after a commit. Best effort: a cron sweep finds what a lost nudge leaves
 * behind.
 * @param at when it becomes due; now unless given
 */
export function nudge(topic: NudgeTopic, at?: Date): void {
  state.nudge?.(topic, at);
}
