import { retryDelay } from "./backoff";
import type { ClaimedRun } from "./claim";
import { problem, type Driver } from "./driver";
import { parseDuration } from "./duration";
import type { CallResult, Call, Operation, StepResult } from "./protocol";
import type { Registered } from "./registry";
import { completeStep, postponeStep } from "./run-outcomes";

type StepsResult = Extract<CallResult, { kind: "steps" }>;
/**
 * The outcome of a call: `advanced` (call the function again now), `waiting` (nothing to do until a step is due), or
 * the end of the call.
 */
export type Outcome = "advanced" | "waiting" | Exclude<CallResult, StepsResult>;

/** How many planned steps of one run are called at a time; 1 if the function limits its concurrency. */
const parallelism = 10;

/**
 * The steps of a run while it is driven: the completed ones, whose results are passed to the function again, and the
 * waiting ones.
 */
export class RunSteps {
  private readonly results = new Map<string, StepResult>();
  private readonly waiting = new Map<string, { attempt: number; ripe: boolean }>();

  constructor(
    private readonly driver: Driver,
    private readonly f: Registered,
    private readonly run: ClaimedRun,
  ) {
    for (const { id, position, attempt, ripe, result } of run.steps ?? []) {
      if (position !== null && result) this.results.set(id, result);
      else this.waiting.set(id, { attempt, ripe });
    }
  }

  get completed(): number {
    return this.results.size;
  }

  call(attempt: number, stepId?: string): Call {
    const { id: functionId, maxAttempts } = this.f;
    // While a step waits, the function may only plan steps: a step run within the call could be the waiting one, before
    // its time.
    const planOnly = this.waiting.size > 0;
    return {
      functionId,
      runId: this.run.id,
      event: this.run.event,
      steps: this.results,
      stepId,
      planOnly,
      attempt,
      maxAttempts,
    };
  }

  /** Acts on the operations that a function reported. */
  async take({ operations, retryAfter }: StepsResult): Promise<Outcome> {
    const outcomes: Outcome[] = [];
    const planned = operations.filter((o) => o.op === "StepPlanned");
    for (const operation of operations)
      if (operation.op !== "StepPlanned") outcomes.push(await this.act(operation, retryAfter));
    const width = this.f.concurrency ? 1 : parallelism;
    for (let i = 0; i < planned.length; i += width) {
      outcomes.push(
        ...(await Promise.all(planned.slice(i, i + width).map((operation) => this.callPlanned(operation)))),
      );
    }
    return outcomes.find((o) => typeof o === "object") ?? (outcomes.includes("advanced") ? "advanced" : "waiting");
  }

  private async act(operation: Operation, retryAfter: string | null): Promise<Outcome> {
    switch (operation.op) {
      case "StepRun":
        return this.complete(operation.id, { type: "data", data: operation.data ?? null });
      case "StepFailed":
        return this.complete(operation.id, { type: "error", error: operation.error });
      case "StepError":
        return { kind: "retry", error: operation.error, retryAfter };
      case "Sleep":
        return this.sleep(operation);
      default:
        return {
          kind: "failed",
          error: problem(
            `The embedded engine does not do ${operation.op} (step ${JSON.stringify(operation.displayName ?? operation.id)}).`,
          ),
        };
    }
  }

  private async sleep({ id, name }: Operation): Promise<Outcome> {
    const waiting = this.waiting.get(id);
    if (waiting) return waiting.ripe ? this.complete(id, { type: "data", data: null }) : "waiting";
    const delay = parseDuration(name, this.driver.now());
    if (delay === undefined) return { kind: "failed", error: problem(`Not a duration: ${JSON.stringify(name)}`) };
    return this.postpone(id, 0, delay);
  }

  /** Calls one planned step. Each parallel step has attempts of its own. */
  private async callPlanned({ id }: Operation): Promise<Outcome> {
    const { attempt = 0, ripe = true } = this.waiting.get(id) ?? {};
    if (!ripe) return "waiting";
    const answer = await this.driver.call(this.call(attempt, id));
    const error = answer.kind === "retry" ? answer : answer.kind === "steps" ? failedAttempt(answer) : undefined;
    if (error) {
      const delay = retryDelay(attempt + 1, parseDuration(error.retryAfter, this.driver.now()));
      return attempt + 1 < this.f.maxAttempts
        ? this.postpone(id, attempt + 1, delay)
        : { kind: "failed", error: error.error };
    }
    if (answer.kind !== "steps") return answer;
    const outcomes = await Promise.all(answer.operations.map((operation) => this.act(operation, answer.retryAfter)));
    return outcomes.find((o) => o !== "advanced") ?? "advanced";
  }

  private async complete(id: string, result: StepResult): Promise<Outcome> {
    this.waiting.delete(id);
    this.results.set(id, result);
    await completeStep(this.driver.store, this.run, id, this.results.size, result);
    return "advanced";
  }

  private async postpone(id: string, attempt: number, delayMs: number): Promise<Outcome> {
    this.waiting.set(id, { attempt, ripe: false });
    await postponeStep(this.driver.store, this.run, id, attempt, delayMs);
    return "waiting";
  }
}

function failedAttempt({
  operations,
  retryAfter,
}: StepsResult): { error: unknown; retryAfter: string | null } | undefined {
  const failed = operations.find((o) => o.op === "StepError");
  return failed && { error: failed.error, retryAfter };
}
