import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import next from "next";
import { startEngine } from "@/inngest/engine";
import { flushKeyUse } from "./access/last-used";
import { closeDb } from "./core/db";
import { setEngineStatus } from "./core/engine-status";
import { env } from "./core/env";
import { log } from "./core/log";
import { closeOutbound } from "./core/outbound/request";
import { logRequest } from "./http/access-log";
import { believeAddress } from "./http/client-address";
import { isApiPath } from "./http/dispatch";
import { apiListener } from "./http/listener";
import { flushVerifications } from "./verification/observe";
import { stopDispatcher } from "./webhooks/running";

export interface RunningServer {
  /** The port that it listens on. */
  port: number;
  /** Finishes what is in flight, then stops all of it. */
  stop(): Promise<void>;
}

const graceMs = 15_000;

/**
 * The production server: the API from its route files without Next's pipeline, everything else through Next, and the
 * job engine. With `dev`, Next compiles on demand and serves the API too, so that a change needs no restart.
 */
export async function serve({ dev = false } = {}): Promise<RunningServer> {
  const { HOST, PORT, TRUST_PROXY } = env();
  const server = createServer({ keepAliveTimeout: 65_000, requestTimeout: 60_000 });
  const app = next({ dev, dir: process.cwd(), hostname: HOST, port: PORT, httpServer: server });
  await app.prepare();
  const pages = app.getRequestHandler();
  const api = apiListener();
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    believeAddress(request, TRUST_PROXY);
    logRequest(request, response);
    if (!dev && isApiPath(request.url ?? "")) void api(request, response);
    else void pages(request, response);
  });
  server.listen(PORT, HOST);
  await once(server, "listening");
  const engine = await startEngine();
  setEngineStatus(() => engine.status());
  const port = (server.address() as { port: number }).port;
  log().info({ port, mode: dev ? "development" : "production" }, "listening");
  return {
    port,
    async stop() {
      log().info("stopping: finishing what is in flight");
      await closeServer(server);
      // While the engine runs, which hears of the events that this writes.
      await Promise.allSettled([flushVerifications(), flushKeyUse()]);
      await engine.stop();
      await stopDispatcher(graceMs);
      await closeOutbound();
      await app.close();
      await closeDb();
      log().info("stopped");
    },
  };
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeIdleConnections();
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(deadline);
}
