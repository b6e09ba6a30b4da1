import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { afterEach, expect, it, vi } from "vitest";
import { Questions } from "./questions";
import { endOnceHung } from "./watch";

const started: Worker[] = [];
afterEach(async () => {
  for (const worker of started.splice(0)) await worker.terminate();
});

/** Starts a thread that runs `answer`, JavaScript that may use `id` and `asked`, for each question. */
async function threadThat(answer: string): Promise<Worker> {
  const worker = new Worker(
    `const { parentPort } = require("node:worker_threads");
     let asked = 0;
     parentPort.on("message", ({ id }) => { asked++; ${answer} });
     parentPort.postMessage({ ready: true });`,
    { eval: true },
  );
  started.push(worker);
  await once(worker, "message");
  return worker;
}
const answers = "parentPort.postMessage({ id, answer: true });";

it("ends a thread that loops forever", async () => {
  const worker = await threadThat(`if (asked > 2) for (;;); ${answers}`);
  const ended = once(worker, "exit");
  await endOnceHung(worker, new Questions(worker), 50);
  // The exit code of a terminated thread.
  expect(await ended).toEqual([1]);
});

it("ends a thread that loops before it can answer", async () => {
  const worker = new Worker("for (;;);", { eval: true });
  started.push(worker);
  const ended = once(worker, "exit");
  await endOnceHung(worker, new Questions(worker), 50);
  expect(await ended).toEqual([1]);
});

it("leaves a thread alone that is late twice, as after a pause of the process, and one that has ended", async () => {
  const worker = await threadThat(`if (asked === 7) process.exit(7); if (asked % 3 === 0) { ${answers} }`);
  const ended = once(worker, "exit");
  using terminate = vi.spyOn(worker, "terminate");
  await endOnceHung(worker, new Questions(worker), 500);
  expect(await ended).toEqual([7]);
  expect(terminate).not.toHaveBeenCalled();
});
