import pino from "pino";
import { env } from "./env";

let logger: pino.Logger | undefined;

/** The logger: structured logs on standard output. Log only ids, codes and counts, never secrets or personal data. */
export function log(): pino.Logger {
  return (logger ??= pino({
    level: env().LOG_LEVEL,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: errorFacts },
  }));
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
