import pino from "pino";

/**
 * Writes what the launcher has to tell while the server runs, in the shape of the server's own log (server/core/log.ts):
 * whoever reads standard output as JSON, a line each, can read these lines too.
 */
export const serverLog = () =>
  pino({ level: process.env.LOG_LEVEL ?? "info", base: null, timestamp: pino.stdTimeFunctions.isoTime });
