import pino from "pino";
import { env } from "./env";

let logger: pino.Logger | undefined;

/** Structured logs on standard output. Never a secret, never personal data: ids, codes and counts alone. */
export function log(): pino.Logger {
  return (logger ??= pino({ level: env().LOG_LEVEL, base: null, timestamp: pino.stdTimeFunctions.isoTime }));
}
