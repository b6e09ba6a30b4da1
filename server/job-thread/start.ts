import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { EngineStatus } from "@/server/core/engine-status";
import { log } from "@/server/core/log";
import { setNudge } from "@/server/core/nudge";
import type { ThreadFigures } from "@/server/http/web/thread-figures";
import type { Engine } from "@/inngest/engine";
import type { FromJobThread, ToJobThread } from "./messages";
import { Questions, Unanswered } from "./questions";
import { endOnceHung } from "./watch";

export interface JobThread extends Engine {
  /** What the thread knows of itself, for /metrics. */
  figures(): Promise<ThreadFigures>;
}

/** The pause before a thread that crashed is restarted, in ms. */
const pauseMs = 1_000;
/** A thread that takes longer, in ms, counts as one that does not answer. Shorter than a readiness check (readiness.ts). */
const answerMs = 1_500;
/** How long a stop may take, in ms: well over the limits of the engine (10 s) and of the dispatcher (15 s). */
const stopMs = 40_000;

interface Started {
  worker: Worker;
  questions: Questions;
  /** Resolves when its engine runs. */
  ready: Promise<void>;
  /** Resolves when the thread has ended, with the error that ended it, if any. */
  ended: Promise<unknown>;
}

/**
 * Starts the thread that runs the jobs of this process: the embedded engine, the sequencer and the dispatcher of
 * webhooks (docs/decisions/780). Passes nudges to it. A thread that crashes or hangs is restarted; as after a killed
 * process, its leases end, and its work is continued from there.
 *
 * @throws Error with the message of what ended the thread before its engine ran
 */
export async function startJobThread(): Promise<JobThread> {
  let thread = begin();
  let stopping = false;
  // A thread that is not ready yet gets its messages when it is: it has looked for work by then, but not for work that
  // was committed since.
  setNudge((topic, at) => thread.worker.postMessage({ nudge: topic, at } satisfies ToJobThread));
  await untilReady(thread);
  const kept = keep();

  async function keep(): Promise<void> {
    for (;;) {
      const error = await thread.ended;
      if (stopping) return;
      log().error({ err: error }, "the job thread ended; it is restarted");
      await pause(pauseMs);
      if (stopping) return;
      thread = begin();
    }
  }

  return {
    async status() {
      try {
        return (await thread.questions.askWithin(answerMs, "status")) as EngineStatus;
      } catch (error) {
        if (error instanceof Unanswered) return notAnswering;
        throw error;
      }
    },
    figures: async () => (await thread.questions.askWithin(answerMs, "figures")) as ThreadFigures,
    async stop() {
      stopping = true;
      setNudge(undefined);
      await thread.questions
        .askWithin(stopMs, "stop")
        .catch((error: unknown) => log().error({ err: error }, "the job thread did not stop cleanly"));
      await thread.worker.terminate();
      await kept;
    },
  };
}

function begin(): Started {
  const worker = new Worker(join(process.cwd(), ".build", "job-thread.mjs"));
  let error: unknown;
  worker.on("error", (thrown) => (error = thrown));
  const ended = new Promise((resolve) => worker.once("exit", () => resolve(error)));
  const questions = new Questions(worker);
  void endOnceHung(worker, questions);
  const ready = new Promise<void>((resolve) =>
    worker.on("message", (message: FromJobThread) => "ready" in message && resolve()),
  );
  return { worker, questions, ready, ended };
}

/** Waits until the engine of a thread runs. */
async function untilReady({ ready, ended }: Started): Promise<void> {
  const failed = ended.then((error) => Promise.reject(error ?? new Unanswered()));
  try {
    await Promise.race([ready, failed]);
  } catch (error) {
    setNudge(undefined);
    throw error;
  }
}

const notAnswering: EngineStatus = {
  mode: "embedded",
  ready: false,
  problem: "the job thread does not answer",
  queued: null,
  running: null,
  oldestDueSeconds: null,
  failed24h: null,
};
