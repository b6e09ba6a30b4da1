import { processState } from "./process-state";

/**
 * The kinds of due work: events to number and deliver, deliveries to send or resend, a bulk job to run, credentials
 * that start or expire, a run of a connector or a policy, an e-mail to send, rule groups to evaluate,
 * passes in wallets to update, an archive of photos to import.
 */
export const nudgeTopics = [
  "events",
  "deliveries",
  "bulk",
  "connectors",
  "policies",
  "credentials",
  "mails",
  "groups",
  "wallets",
  "photos",
] as const;

export type NudgeTopic = (typeof nudgeTopics)[number];

type Nudge = (topic: NudgeTopic, at?: Date) => void;

const state = processState("nudge", (): { nudge?: Nudge | undefined } => ({}));

/** Sets the function that nudge() calls. The job engine calls this when it starts and ends (inngest/engine.ts). */
export function setNudge(nudge: Nudge | undefined): void {
  state.nudge = nudge;
}

/**
 * Wakes the sequencer (for events) or the engine after a commit. Best effort: a cron sweep finds the work of a lost
 * nudge.
 * @param at when the work becomes due; now by default
 */
export function nudge(topic: NudgeTopic, at?: Date): void {
  state.nudge?.(topic, at);
}
