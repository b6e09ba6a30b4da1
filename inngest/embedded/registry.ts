import { failureHandlerOf, refusals, UnsupportedFunctions } from "./capabilities";
import { parseConcurrency, type Concurrency } from "./concurrency";
import { readConfiguration, type FunctionConfiguration, type ServeHandler } from "./configuration";
import { parseSchedule, type Schedule } from "./schedule";

/** A function as the engine runs it. */
export interface Registered {
  id: string;
  /** Maximum number of calls of one step, or of the function between steps: the first call and the retries. */
  maxAttempts: number;
  events: string[];
  schedules: Schedule[];
  concurrency?: Concurrency;
  /** The id of the function's `onFailure`, which the SDK registers as a function of its own. */
  failureId?: string;
}

export type Registry = ReadonlyMap<string, Registered>;

/**
 * Reads the functions from their handler.
 *
 * @throws UnsupportedFunctions with every feature that the engine does not support.
 */
export async function readRegistry(handler: ServeHandler): Promise<Registry> {
  const configured = await readConfiguration(handler);
  const refused = refusals(configured);
  if (refused.length > 0) throw new UnsupportedFunctions(refused);
  const failureHandlers = new Map(configured.map((f) => [failureHandlerOf(f), f.id]));
  return new Map(configured.map((f) => [f.id, register(f, failureHandlers.get(f.id))]));
}

function register(f: FunctionConfiguration, failureId: string | undefined): Registered {
  return {
    id: f.id,
    maxAttempts: (f.steps.step.retries?.attempts ?? 0) + 1,
    events: failureHandlerOf(f) ? [] : f.triggers.flatMap((t) => (t.event === undefined ? [] : [t.event])),
    schedules: f.triggers.flatMap((t) => (t.cron === undefined ? [] : [parseSchedule(t.cron)])),
    concurrency: parseConcurrency(f.concurrency),
    failureId,
  };
}
