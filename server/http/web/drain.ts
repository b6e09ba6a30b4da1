import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setServing } from "@/server/core/serving";

/** How often connections that have become idle are closed while the server stops. */
const sweepMs = 50;

export interface Drain {
  /**
   * Stops the server without losing an answer: `/readyz` says 503, for `delayMs` new connections are still taken (so
   * that a load balancer sees that), then none; every answer from now on carries `Connection: close`; connections are
   * closed once idle. Resolves when all are closed. What is still open after `graceMs` is cut.
   */
  stop(times: { delayMs: number; graceMs: number }): Promise<void>;
}

/**
 * Follows the connections of a server, so that it can be stopped. Node's own closeIdleConnections takes a connection
 * for idle whose answer was handed over and has not left yet, and destroys it; here a connection is idle once the last
 * byte of its answer has gone to the operating system.
 */
export function drainable(server: Server): Drain {
  const answering = new Map<Socket, Set<ServerResponse>>();
  let stopping = false;

  server.on("connection", (socket: Socket) => {
    answering.set(socket, new Set());
    socket.once("close", () => answering.delete(socket));
  });
  // First of the listeners: an answer may be written in the same turn.
  server.prependListener("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    const responses = answering.get(socket);
    responses?.add(response);
    response.once("close", () => responses?.delete(response));
    if (stopping) response.shouldKeepAlive = false;
  });

  const closeIdle = (): void => {
    for (const [socket, responses] of answering) if (responses.size === 0) socket.destroySoon();
  };
  // server.close() calls this one by its name.
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
