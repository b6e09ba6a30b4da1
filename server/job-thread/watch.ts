import { setTimeout as pause } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { log } from "@/server/core/log";
import type { Questions } from "./questions";

/** How long a thread may take to answer, and the pause before the next question, in ms. */
const usualMs = 20_000;
/**
 * After this many missed answers in a row, a thread counts as hung. One is no proof: after a pause of the whole process
 * (SIGSTOP, a suspended machine), the limit has passed before the thread can answer.
 */
const missedAnswers = 3;

/**
 * Asks a thread again and again whether it answers at all, and ends it after three missed answers: an endless loop in a
 * job would otherwise stop all jobs until somebody restarts the server. Resolves when the thread has ended.
 *
 * @param ms how long it may take to answer, and the pause before the next question
 */
export async function endOnceHung(worker: Worker, questions: Questions, ms = usualMs): Promise<void> {
  let missed = 0;
  while (!questions.hasEnded && missed < missedAnswers) {
    missed = await questions.askWithin(ms, "alive").then(
      () => 0,
      () => missed + 1,
    );
    if (missed === 0) await pause(ms, undefined, { ref: false });
  }
  if (questions.hasEnded) return;
  log().error({ seconds: (missed * ms) / 1000 }, "the job thread hangs; it is ended");
  await worker.terminate();
}
