import pino from "pino";

/**
 * Writes messages of the launcher while the server runs, in the format of the server's log (server/core/log.ts), so
 * that every line of standard output is JSON.
 */
export const serverLog = () =>
  pino({ level: process.env.LOG_LEVEL ?? "info", base: null, timestamp: pino.stdTimeFunctions.isoTime });
