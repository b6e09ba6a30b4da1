// On globalThis since Next and the server bundle their modules apart: what one counts, the other tells.
const holder = globalThis as { bonafideFailedJobs?: Map<string, number> };

/** Runs of jobs whose last try failed, by function, that this process was told of. */
export function failedJobs(): Map<string, number> {
  return (holder.bonafideFailedJobs ??= new Map());
}

/** Counts a run of a job that is not tried again. */
export function noteFailedJob(functionId: string): void {
  failedJobs().set(functionId, (failedJobs().get(functionId) ?? 0) + 1);
}
