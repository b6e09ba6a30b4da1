/** What was written and is now due: events to number and deliver, deliveries to send (again), a bulk job to run. */
export type NudgeTopic = "events" | "deliveries" | "bulk";

const holder = globalThis as { bonafideNudge?: (topic: NudgeTopic) => void };

/** Called once by the job engine (inngest/nudge.ts). Kept on globalThis since Next and the server bundle their modules apart. */
export function setNudge(nudge: (topic: NudgeTopic) => void): void {
  holder.bonafideNudge = nudge;
}

/** Wakes the engine after a commit. Best effort: a cron sweep finds what a lost nudge leaves behind. */
export function nudge(topic: NudgeTopic): void {
  holder.bonafideNudge?.(topic);
}
