import { processState } from "./process-state";

const counts = processState("failed jobs", () => new Map<string, number>());

/**
 * The number of failed job runs that this process noted, by function id. A run counts once its last retry has failed.
 */
export function failedJobs(): ReadonlyMap<string, number> {
  return counts;
}

/** Counts a failed run of a job that is not retried. */
export function noteFailedJob(functionId: string): void {
  counts.set(functionId, (counts.get(functionId) ?? 0) + 1);
}
