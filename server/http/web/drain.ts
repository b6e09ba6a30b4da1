import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setServing } from "@/server/core/serving";

/** How often connections that have become idle are closed while the server stops. */
const sweepMs = 50;

export interface Drain {
  /**
   * Stops the server without losing a response. `/readyz` answers 503; for `delayMs`, new connections are still
   * accepted so that a load balancer sees that; then none is. Every response from now on carries `Connection: close`,
   * and connections are closed once idle. Resolves when all are closed; those open after `graceMs` are cut.
   */
  stop(times: { delayMs: number; graceMs: number }): Promise<void>;
}

/**
 * Tracks the connections of a server, so that it can be stopped. Node's own closeIdleConnections treats a connection as
 * idle, and destroys it, when its response was handed over but has not left yet. Here a connection is idle once the
 * last byte of its response has gone to the operating system.
 */
export function drainable(server: Server): Drain {
  const answering = new Map<Socket, Set<ServerResponse>>();
  let stopping = false;

  server.on("connection", (socket: Socket) => {
    answering.set(socket, new Set());
    socket.once("close", () => answering.delete(socket));
  });
  // Must be the first listener, because another one may write the response in the same turn.
  server.prependListener("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    const responses = answering.get(socket);
    responses?.add(response);
    response.once("close", () => responses?.delete(response));
    if (stopping) response.shouldKeepAlive = false;
  });

  const closeIdle = (): void => {
    for (const [socket, responses] of answering) if (responses.size === 0) socket.destroySoon();
  };
  // server.close() calls closeIdleConnections.
  server.closeIdleConnections = closeIdle;

  return {
    async stop({ delayMs, graceMs }) {
      stopping = true;
      setServing(false);
      for (const responses of answering.values())
        for (const response of responses) if (!response.headersSent) response.shouldKeepAlive = false;
      if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
      const closed = once(server, "close");
      server.close();
      const sweep = setInterval(closeIdle, sweepMs);
      const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearInterval(sweep);
      clearTimeout(deadline);
    },
  };
}
