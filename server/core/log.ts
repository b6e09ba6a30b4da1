import pino from "pino";
import { env } from "./env";
import { processState } from "./process-state";

let logger: pino.Logger | undefined;

/** The logger: structured logs on standard output. Log only ids, codes and counts, never secrets or personal data. */
export function log(): pino.Logger {
  return (logger ??= createLog(pino.destination(1)));
}

/** Creates a logger that writes there. */
export function createLog(destination: pino.DestinationStream): pino.Logger {
  const options: pino.LoggerOptions = {
    level: env().LOG_LEVEL,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: errorFacts },
    hooks: {
      logMethod(args, method, level) {
        const told = level < pino.levels.values["error"]! ? args : sampled(args as unknown[]);
        if (told) method.apply(this, told as typeof args);
      },
    },
  };
  return pino(options, destination);
}

const everyMs = 1_000;
/** The most faults that are told apart. */
const maxFaults = 500;
const faults = processState("logged faults", () => new Map<string, { toldAt: number; untold: number }>());

/**
 * Samples errors: a fault is logged when it first occurs and then at most once a second, with the number of those that
 * were left out in between as `repeated`. A fault is a message with the same error. The access log has each request.
 *
 * @returns the arguments to log with; undefined if the line is left out
 */
function sampled([first, ...rest]: unknown[]): unknown[] | undefined {
  const { err } = (typeof first === "object" && first ? first : {}) as { err?: unknown };
  const { name, code, message } = (err ?? {}) as { name?: unknown; code?: unknown; message?: unknown };
  const fault = JSON.stringify([typeof first === "string" ? first : rest[0], name, code, message]);
  const now = performance.now();
  const known = faults.get(fault);
  if (known && now - known.toldAt < everyMs) {
    known.untold++;
    return undefined;
  }
  faults.delete(fault);
  faults.set(fault, { toldAt: now, untold: 0 });
  if (faults.size > maxFaults) faults.delete(faults.keys().next().value!);
  return known?.untold && typeof first === "object"
    ? [{ ...first, repeated: known.untold }, ...rest]
    : [first, ...rest];
}

/**
 * The properties of an error that are logged as `err`. Others are left out: PostgreSQL's errors have values of rows in
 * `detail` and `where`.
 */
export function errorFacts(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack } = error;
  return { name, ...("code" in error && { code: error.code }), message, stack };
}
