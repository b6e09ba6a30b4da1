import { sequencer, stopSequencer } from "@/server/consumers";
import { queuePool } from "@/server/core/db";
import type { EngineStatus } from "@/server/core/engine-status";
import { env } from "@/server/core/env";
import { log } from "@/server/core/log";
import { nudge, nudgeTopics, setNudge } from "@/server/core/nudge";
import { processState } from "@/server/core/process-state";
import { inngest } from "./client";
import { createEmbeddedEngine } from "./embedded";
import { holdEngine } from "./engine-holder";
import { signals } from "./events";
import { functions } from "./functions";
import { engineMode } from "./mode";
import { installNudge, sendProblem } from "./nudge";
import { keepRegistered } from "./register";
import { allowTurns, endTurns } from "./turn";

export interface Engine {
  status(): Promise<EngineStatus>;
  /** Waits for running runs to end, for a bounded time, then gives back the rest. */
  stop(): Promise<void>;
}

const state = processState("job engine", (): { started?: Promise<Engine> } => ({}));

/**
 * Starts the engine of this thread, once: the embedded engine's loop, or the registration with the configured Inngest
 * server.
 *
 * @throws UnsupportedFunctions if a function uses a feature that the embedded engine does not support.
 */
export function startEngine(): Promise<Engine> {
  allowTurns();
  return (state.started ??= engineMode() === "embedded" ? startEmbedded() : startRegistered());
}

/**
 * Installs the nudge, and looks for work of every kind: what a killed process left, and what was committed since the
 * server answers, would otherwise wait up to a minute for a cron. Creates the sequencer now: created by the first
 * commit, it would keep the context of that request.
 */
function nudgeFromNowOn(): void {
  const numbering = sequencer();
  installNudge(() => numbering.wake());
  for (const topic of nudgeTopics) nudge(topic);
}

async function startEmbedded(): Promise<Engine> {
  const engine = await createEmbeddedEngine({ client: inngest, functions, pool: queuePool(), signals, log: log() });
  holdEngine(engine);
  await engine.start();
  nudgeFromNowOn();
  return {
    status: async () => ({ problem: null, ...(await engine.status()) }),
    stop: async () => {
      delete state.started;
      endTurns();
      setNudge(undefined);
      await stopSequencer();
      await engine.stop();
      holdEngine(undefined);
    },
  };
}

async function startRegistered(): Promise<Engine> {
  const registration = keepRegistered(`${env().PUBLIC_URL}/api/inngest`);
  // Its events also tell whether the server accepts the event key, even if nothing is written for hours.
  nudgeFromNowOn();
  const problem = () => (registration.done ? sendProblem() : "the Inngest server has not taken the functions");
  return {
    status: async () => ({
      mode: "inngest",
      ready: registration.done,
      problem: problem(),
      queued: null,
      running: null,
      oldestDueSeconds: null,
      failed24h: null,
    }),
    stop: async () => {
      delete state.started;
      endTurns();
      setNudge(undefined);
      registration.stop();
      await stopSequencer();
    },
  };
}
