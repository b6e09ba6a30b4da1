import type { Worker } from "node:worker_threads";
import type { FromJobThread, Question, ToJobThread } from "./messages";

export class Unanswered extends Error {
  constructor() {
    super("The job thread does not answer.");
  }
}

/** The questions to one job thread. */
export class Questions {
  private readonly asked = new Map<number, PromiseWithResolvers<unknown>>();
  private last = 0;

  private ended = false;

  constructor(private readonly thread: Worker) {
    thread.on("message", (message: FromJobThread) => "id" in message && this.settle(message));
    thread.on("exit", () => {
      this.ended = true;
      this.asked.forEach(({ reject }) => reject(new Unanswered()));
    });
  }

  /** Whether the thread has ended, so that no question will be answered. */
  get hasEnded(): boolean {
    return this.ended;
  }

  /** @throws Unanswered if it takes longer than `ms`, or if the thread ends first; else what it failed with */
  async askWithin(ms: number, question: Question): Promise<unknown> {
    if (this.ended) throw new Unanswered();
    const id = ++this.last;
    const answer = Promise.withResolvers<unknown>();
    this.asked.set(id, answer);
    const timer = setTimeout(() => answer.reject(new Unanswered()), ms).unref();
    this.thread.postMessage({ id, question } satisfies ToJobThread);
    try {
      return await answer.promise;
    } finally {
      clearTimeout(timer);
      this.asked.delete(id);
    }
  }

  private settle(message: Exclude<FromJobThread, { ready: true }>): void {
    const question = this.asked.get(message.id);
    if ("answer" in message) question?.resolve(message.answer);
    else question?.reject(Object.assign(new Error(message.failure.message), { code: message.failure.code }));
  }
}
