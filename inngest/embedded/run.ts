import { randomUUID } from "node:crypto";
import { retryDelay } from "./backoff";
import type { ClaimedRun } from "./claim";
import { problem, type Driver } from "./driver";
import { parseDuration } from "./duration";
import type { CallResult, EngineEvent } from "./protocol";
import type { Registered } from "./registry";
import { RunSteps } from "./run-steps";
import { fail, pause, release, retry, succeed } from "./run-outcomes";

/** How often the lease of a run may run out before the run fails: the run itself may be what kills its processes. */
const maxLapses = 5;
const maxSteps = 1000;

/**
 * Calls the function of a claimed run repeatedly, until the run has ended or waits for something.
 *
 * @throws ClaimLost if another process has taken the run over.
 */
export async function drive(driver: Driver, f: Registered, run: ClaimedRun): Promise<void> {
  if (run.lapses > maxLapses)
    return failRun(driver, f, run, problem(`The process that ran this went away ${run.lapses} times.`));
  const steps = new RunSteps(driver, f, run);
  for (;;) {
    if (driver.stopping()) return release(driver.store, [run]);
    const answer = await driver.call(steps.call(run.attempt));
    if (answer.kind !== "steps") return completeRun(driver, f, run, answer);
    const outcome = await steps.take(answer);
    if (outcome === "waiting") return pause(driver.store, run);
    if (outcome !== "advanced") return completeRun(driver, f, run, outcome);
    if (steps.completed > maxSteps) return failRun(driver, f, run, problem(`More than ${maxSteps} steps.`));
    run.attempt = 0;
  }
}

type Ending = Exclude<CallResult, { kind: "steps" }>;

async function completeRun(driver: Driver, f: Registered, run: ClaimedRun, answer: Ending): Promise<void> {
  if (answer.kind === "finished") return succeed(driver.store, run, answer.output);
  const attempt = run.attempt + 1;
  if (answer.kind === "failed" || attempt >= f.maxAttempts) return failRun(driver, f, run, answer.error);
  const delay = retryDelay(attempt, parseDuration(answer.retryAfter, driver.now()));
  await retry(driver.store, run, attempt, delay, answer.error);
}

async function failRun(driver: Driver, f: Registered, run: ClaimedRun, error: unknown): Promise<void> {
  await fail(
    driver.store,
    run,
    error,
    f.failureId === undefined
      ? undefined
      : { functionId: f.failureId, event: failureEvent(driver.now(), f, run, error) },
  );
}

function failureEvent(now: Date, f: Registered, run: ClaimedRun, error: unknown): EngineEvent {
  return {
    id: randomUUID(),
    name: "inngest/function.failed",
    data: { function_id: f.id, run_id: run.id, error, event: run.event },
    ts: now.getTime(),
  };
}
