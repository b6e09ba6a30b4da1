import { setTimeout as pause } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import type { FromJobThread, Question, ToJobThread } from "./messages";

/** A thread that takes longer, in ms, counts as one that does not answer. Shorter than a readiness check (readiness.ts). */
const answerMs = 1_500;

export class Unanswered extends Error {
  constructor() {
    super("The thread of the jobs does not answer.");
  }
}

/** The questions to one job thread. */
export class Questions {
  private readonly asked = new Map<number, PromiseWithResolvers<unknown>>();
  private last = 0;
  private hasEnded = false;

  constructor(private readonly thread: Worker) {
    thread.on("message", (message: FromJobThread) => "id" in message && this.settle(message));
    thread.on("exit", () => {
      this.hasEnded = true;
      this.asked.forEach(({ reject }) => reject(new Unanswered()));
    });
  }

  /** @throws Unanswered if the thread ends first; else what it failed with */
  async ask(question: Question): Promise<unknown> {
    if (this.hasEnded) throw new Unanswered();
    const id = ++this.last;
    const answer = Promise.withResolvers<unknown>();
    this.asked.set(id, answer);
    this.thread.postMessage({ id, question } satisfies ToJobThread);
    return answer.promise;
  }

  /** @throws Unanswered also if the answer takes too long */
  async askBriefly(question: Question): Promise<unknown> {
    const answered = new AbortController();
    const late = pause(answerMs, undefined, { ref: false, signal: answered.signal }).then(
      () => Promise.reject(new Unanswered()),
      () => undefined,
    );
    return Promise.race([this.ask(question), late]).finally(() => answered.abort());
  }

  private settle(message: Exclude<FromJobThread, { ready: true }>): void {
    const question = this.asked.get(message.id);
    this.asked.delete(message.id);
    if ("answer" in message) question?.resolve(message.answer);
    else question?.reject(Object.assign(new Error(message.failure.message), { code: message.failure.code }));
  }
}
