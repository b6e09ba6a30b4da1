import type { FailureEventArgs } from "inngest";
import { noteFailedJob } from "@/server/core/failed-jobs";
import { log } from "@/server/core/log";

/**
 * For a run whose last try has failed: tells the operator in the log and on /metrics, whichever engine runs the
 * functions.
 */
export function tellFailure({ error, event: { data } }: FailureEventArgs): void {
  const { function_id: functionId, run_id: runId } = data;
  log().error({ err: error, functionId, runId }, "a job has failed and is not tried again");
  noteFailedJob(functionId);
}
