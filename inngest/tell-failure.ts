import type { FailureEventArgs } from "inngest";
import { noteFailedJob } from "@/server/core/failed-jobs";
import { log } from "@/server/core/log";

/**
 * Reports a run that failed for good in the log and on /metrics. It is the `onFailure` of every function, under both
 * engines.
 */
export function tellFailure({ error, event: { data } }: FailureEventArgs): void {
  const { function_id: functionId, run_id: runId } = data;
  log().error({ err: error, functionId, runId }, "a job has failed and is not tried again");
  noteFailedJob(functionId);
}
