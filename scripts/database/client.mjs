import pg from "pg";

/**
 * A connection on which something is asked once. PostgreSQL may end it at any moment, such as at its own stop: what
 * waits for an answer is refused, and the event tells nothing more. Without a listener, the event would end the process.
 * @param {import("pg").ClientConfig} options
 */
export function oneTimeClient(options) {
  return new pg.Client({ connectionTimeoutMillis: 10_000, ...options }).on("error", () => {});
}
