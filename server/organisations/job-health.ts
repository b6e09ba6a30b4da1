import { z } from "zod";
import { engineStatus } from "@/server/core/engine-status";
import { query } from "@/server/core/operation";

/** Work that has been due for longer than this is late; normally crons and bulk jobs begin within seconds. */
const lateAfterSeconds = 120;

export interface JobHealth {
  object: "job_health";
  /**
   * stopped: no engine runs in this process. refused: the Inngest server refuses events, so work waits for the next
   * sweep. late: work that is due has not begun.
   */
  state: "running" | "late" | "refused" | "stopped";
  /** How long the oldest late work has been due, in seconds; null if none is late. */
  lateBySeconds: number | null;
}

/** Tells the console whether background work is running. Omits the counts, which cover all organisations. */
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
