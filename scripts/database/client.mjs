import pg from "pg";

/**
 * A connection for a single request. PostgreSQL may end the connection at any moment, for example when it stops. A
 * pending query is then rejected, so the error event needs no further handling, but without a listener it would end the
 * process.
 *
 * @param {import("pg").ClientConfig} options
 */
export function oneTimeClient(options) {
  return new pg.Client({ connectionTimeoutMillis: 10_000, ...options }).on("error", () => {});
}
