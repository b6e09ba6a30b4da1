import pino from "pino";
import { env } from "./env";

let logger: pino.Logger | undefined;

/** Structured logs on standard output. Never a secret, never personal data: ids, codes and counts alone. */
export function log(): pino.Logger {
  return (logger ??= pino({
    level: env().LOG_LEVEL,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: errorFacts },
  }));
}

/**
 * What is logged of an error, as `err`. Nothing else that it carries: PostgreSQL's tell the values of rows in `detail`
 * and `where`.
 */
export function errorFacts(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack } = error;
  return { name, ...("code" in error && { code: error.code }), message, stack };
}
