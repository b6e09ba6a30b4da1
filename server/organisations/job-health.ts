import { z } from "zod";
import { engineStatus } from "@/server/core/engine-status";
import { query } from "@/server/core/operation";

/** Work that has been due for longer than this is late: crons and bulk jobs begin within seconds. */
const lateAfterSeconds = 120;

export interface JobHealth {
  object: "job_health";
  /**
   * stopped: no engine runs where this was asked. refused: an Inngest server takes no events, so that work waits for
   * the next sweep. late: work that is due has not begun.
   */
  state: "running" | "late" | "refused" | "stopped";
  /** How long the oldest work that is late has been due; null where none is. */
  lateBySeconds: number | null;
}

/**
 * Whether background work goes on: for the console, without the counts, which are those of all organisations together.
 */
export const getJobHealth = query({
  name: "jobs.health",
  scope: "credentials:read",
  input: z.strictObject({}),
  async run(): Promise<JobHealth> {
    const status = await engineStatus();
    if (!status?.ready) return { object: "job_health", state: "stopped", lateBySeconds: null };
    if (status.problem !== null) return { object: "job_health", state: "refused", lateBySeconds: null };
    const waiting = status.oldestDueSeconds ?? 0;
    if (waiting <= lateAfterSeconds) return { object: "job_health", state: "running", lateBySeconds: null };
    return { object: "job_health", state: "late", lateBySeconds: Math.round(waiting) };
  },
});
