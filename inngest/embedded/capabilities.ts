import { parseConcurrency } from "./concurrency";
import type { FunctionConfiguration, Trigger } from "./configuration";
import { parseSchedule } from "./schedule";

/** Thrown at start, with every unsupported feature of every function, so that one start shows the whole list. */
export class UnsupportedFunctions extends Error {
  constructor(readonly refusals: string[]) {
    super(
      `The embedded engine does not do what these functions ask for:\n${refusals.map((r) => `  - ${r}`).join("\n")}`,
    );
  }
}

// Any other option (debounce, batchEvents, rateLimit, throttle, priority, cancel, idempotency, singleton, timeouts, and
// future ones of the SDK) changes when a function runs, so it must be refused rather than silently ignored.
const understood = new Set(["id", "name", "triggers", "steps", "concurrency"]);

/**
 * Lists the features that the engine does not support, or would treat differently from an Inngest server. Empty if it
 * may start.
 */
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

/**
 * Returns the id of the function whose `onFailure` this is. The SDK registers each `onFailure` as a function of its
 * own.
 */
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
