import { processState } from "@/server/core/process-state";

/** `ending` is true from the stop of this thread's engine until it starts again. */
const state = processState("turns of jobs", () => ({ ending: false }));

/** Ends all turns at their next step. Called when the engine stops. */
export function endTurns(): void {
  state.ending = true;
}

/** Lets turns last again. Called when the engine starts. */
export function allowTurns(): void {
  state.ending = false;
}

/**
 * The time that one run of a function works step by step. An Inngest server waits only so long for an answer, and a
 * process that stops waits for the step in progress alone.
 *
 * @example
 *   const turn = new Turn(10_000);
 *   while ((await fold(batch)) === batch && !turn.isOver);
 */
export class Turn {
  private readonly until: number;

  /** @param withinMs how long it lasts, in milliseconds */
  constructor(withinMs: number) {
    this.until = Date.now() + withinMs;
  }

  get isOver(): boolean {
    return state.ending || Date.now() >= this.until;
  }
}

const withinMs = 10_000;

/**
 * Does steps until none is left, for ten seconds at most. If the turn ends earlier, sends the event that starts the
 * next run.
 *
 * @param step does one step, if one is due; answers whether it did
 * @param handOver sends the event
 * @returns how many steps were done
 */
export async function workByTurns(step: () => Promise<boolean>, handOver: () => Promise<unknown>): Promise<number> {
  const turn = new Turn(withinMs);
  let steps = 0;
  while (await step()) {
    steps++;
    if (!turn.isOver) continue;
    await handOver();
    break;
  }
  return steps;
}
