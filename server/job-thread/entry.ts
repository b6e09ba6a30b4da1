import { parentPort, type MessagePort } from "node:worker_threads";
import { nudge } from "@/server/core/nudge";
import { yieldToMainThread } from "@/server/core/yielding";
import { ownFigures } from "@/server/http/web/thread-figures";
import { release } from "@/server/release";
import { startEngine } from "@/inngest/engine";
import type { FromJobThread, Question, ToJobThread } from "./messages";

// The entry point of the thread in which the server runs its jobs (docs/decisions/780).
yieldToMainThread();
const port = parentPort as MessagePort;
const tell = (message: FromJobThread) => port.postMessage(message);
const starting = startEngine();

const answers: Record<Question, () => unknown> = {
  alive: () => true,
  status: async () => (await starting).status(),
  figures: ownFigures,
  stop: async () => release(await starting),
};

// Before the engine runs: its first work may hang.
port.on("message", (message: ToJobThread) => {
  if ("nudge" in message) void starting.then(() => nudge(message.nudge, message.at));
  else void answer(message);
});
await starting;
tell({ ready: true });

async function answer({ id, question }: { id: number; question: Question }): Promise<void> {
  try {
    tell({ id, answer: await answers[question]() });
  } catch (error) {
    const { message, code } = error as { message: string; code?: unknown };
    tell({ id, failure: { message, code } });
  }
}
