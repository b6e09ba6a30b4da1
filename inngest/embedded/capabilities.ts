import { parseConcurrency } from "./concurrency";
import type { FunctionConfiguration, Trigger } from "./configuration";
import { parseSchedule } from "./schedule";

/** All that is wrong, function by function, so that one start shows the whole list. */
export class UnsupportedFunctions extends Error {
  constructor(readonly refusals: string[]) {
    super(
      `The embedded engine does not do what these functions ask for:\n${refusals.map((r) => `  - ${r}`).join("\n")}`,
    );
  }
}

// Whatever the SDK configures beyond these (debounce, batchEvents, rateLimit, throttle, priority, cancel, idempotency,
// singleton, timeouts, and what it may add one day) changes when a function runs, and must not be passed over in
// silence.
const understood = new Set(["id", "name", "triggers", "steps", "concurrency"]);

/** Lists what the engine would do otherwise than an Inngest server, or not at all. Empty when it may start. */
export function refusals(functions: FunctionConfiguration[]): string[] {
  return functions.flatMap((f) =>
    [
      ...Object.keys(f).filter((key) => !understood.has(key) && f[key] !== undefined),
      ...retryRefusals(f),
      ...(failureHandlerOf(f) ? [] : f.triggers.flatMap(triggerRefusals)),
      ...thrown(() => parseConcurrency(f.concurrency)),
    ].map((what) => `${f.id}: ${what}`),
  );
}

/** The SDK registers an `onFailure` as a function of its own; this gives the id of the function that it is for. */
export function failureHandlerOf({ id, triggers }: FunctionConfiguration): string | undefined {
  const watched = id.replace(/-failure$/, "");
  const ours = triggers.some(
    (t) => t.event === "inngest/function.failed" && t.expression === `event.data.function_id == '${watched}'`,
  );
  return ours ? watched : undefined;
}

function retryRefusals(f: FunctionConfiguration): string[] {
  const retries = f.steps.step.retries?.attempts;
  if (retries === undefined) return ["retries are not set: the SDK and the server assume different numbers"];
  return retries > 20 ? [`${retries} retries: at most 20`] : [];
}

function triggerRefusals(trigger: Trigger): string[] {
  if (trigger.cron !== undefined) {
    const { cron, jitter } = trigger;
    return [...(jitter ? [`jitter of cron ${JSON.stringify(cron)}`] : []), ...thrown(() => parseSchedule(cron))];
  }
  const name = trigger.event ?? "";
  return [
    ...(trigger.expression ? [`the "if" of event ${JSON.stringify(name)}`] : []),
    ...(name.includes("*") ? [`the wildcard event ${JSON.stringify(name)}`] : []),
    ...(name.startsWith("inngest/") ? [`the internal event ${JSON.stringify(name)}`] : []),
  ];
}

function thrown(parse: () => unknown): string[] {
  try {
    parse();
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
