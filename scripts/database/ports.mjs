import { createServer } from "node:net";

/**
 * Checks whether this process could listen there now.
 *
 * @returns {Promise<{ port: number } | { refused: string }>} the port (a free one, for 0) or the error code
 */
export function tryPort(port, host) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error) => resolve({ refused: error.code }));
    server.listen({ port, host, exclusive: true }, () => {
      const taken = server.address().port;
      server.close(() => resolve({ port: taken }));
    });
  });
}

/**
 * Finds a free port on `host`.
 *
 * @param {(port: number) => boolean} [isReserved] whether a port is kept for another use and must not be returned
 */
export async function freePort(host = "127.0.0.1", isReserved = () => false) {
  for (;;) {
    const tried = await tryPort(0, host);
    if ("refused" in tried)
      throw Object.assign(new Error(`No port is free on ${host}: ${tried.refused}`), { code: tried.refused });
    if (!isReserved(tried.port)) return tried.port;
  }
}
