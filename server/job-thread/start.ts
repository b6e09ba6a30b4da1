import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { EngineStatus } from "@/server/core/engine-status";
import { log } from "@/server/core/log";
import { setNudge } from "@/server/core/nudge";
import type { ThreadFigures } from "@/server/http/web/thread-figures";
import type { Engine } from "@/inngest/engine";
import type { ToJobThread } from "./messages";
import { Questions, Unanswered } from "./questions";

export interface JobThread extends Engine {
  /** What the thread knows of itself, for /metrics. */
  figures(): Promise<ThreadFigures>;
}

/** The pause before a thread that broke off is started anew. */
const pauseMs = 1_000;

interface Running {
  worker: Worker;
  questions: Questions;
  /** Resolves when the thread has ended, with the error that ended it, if any. */
  ended: Promise<unknown>;
}

/**
 * Starts the thread that runs the jobs of this process: the embedded engine, the sequencer and the dispatcher of
 * webhooks (docs/decisions/780). Passes nudges to it. A thread that breaks off is started anew; as after a killed
 * process, its leases end, and others go on where it was.
 *
 * @throws what ends the thread before its engine runs, such as UnsupportedFunctions
 */
export async function startJobThread(): Promise<JobThread> {
  let stopping = false;
  let running: Running | undefined = await begin();
  const kept = keep();
  setNudge((topic, at) => running?.worker.postMessage({ nudge: topic, at } satisfies ToJobThread));

  async function keep(): Promise<void> {
    while (running) {
      let error = await running.ended;
      running = undefined;
      while (!running && !stopping) {
        log().error({ err: error }, "the thread of the jobs broke off; it is started anew");
        await pause(pauseMs);
        try {
          running = await begin();
        } catch (again) {
          error = again;
        }
      }
      // Stopped while it was started anew.
      if (stopping) await running?.worker.terminate();
    }
  }

  return {
    async status() {
      try {
        if (!running) throw new Unanswered();
        return (await running.questions.askBriefly("status")) as EngineStatus;
      } catch (error) {
        if (error instanceof Unanswered) return notAnswering;
        throw error;
      }
    },
    async figures() {
      if (!running) throw new Unanswered();
      return (await running.questions.askBriefly("figures")) as ThreadFigures;
    },
    async stop() {
      stopping = true;
      setNudge(undefined);
      await running?.questions
        .ask("stop")
        .catch((error: unknown) => log().error({ err: error }, "the thread of the jobs did not stop cleanly"));
      await running?.worker.terminate();
      await kept;
    },
  };
}

/** Starts a thread, and waits until its engine runs. */
async function begin(): Promise<Running> {
  const worker = new Worker(join(process.cwd(), ".build", "job-thread.mjs"));
  let error: unknown;
  worker.on("error", (thrown) => (error = thrown));
  const ended = new Promise((resolve) => worker.once("exit", () => resolve(error)));
  const running = { worker, questions: new Questions(worker), ended };
  const failed = ended.then(() => Promise.reject(error ?? new Unanswered()));
  await Promise.race([new Promise((resolve) => worker.once("message", resolve)), failed]);
  return running;
}

const notAnswering: EngineStatus = {
  mode: "embedded",
  ready: false,
  problem: "the thread of the jobs does not answer",
  queued: null,
  running: null,
  oldestDueSeconds: null,
  failed24h: null,
};
