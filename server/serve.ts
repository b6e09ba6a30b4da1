import { once } from "node:events";
import { setFlagsFromString } from "node:v8";
import type { IncomingMessage, ServerResponse } from "node:http";
import next from "next";
import { startEngine, type Engine } from "@/inngest/engine";
import { engineMode } from "@/inngest/mode";
import { startJobThread } from "./job-thread/start";
import { serveSftp } from "./connectors/sftp/receive/serve";
import { setEngineStatus } from "./core/engine-status";
import { env } from "./core/env";
import { log } from "./core/log";
import { drainable } from "./http/web/drain";
import { frontDoor } from "./http/web/front-door";
import { apiListener } from "./http/web/listener";
import { listPageFiles } from "./http/web/page-files";
import { pagePolicies } from "./http/web/page-policy";
import { setJobThreadFigures } from "./http/web/thread-figures";
import { release } from "./release";

export interface RunningServer {
  /** The port that it listens on. */
  port: number;
  /** Finishes the requests in progress, then stops everything. */
  stop(): Promise<void>;
}

/**
 * Longer than a statement of a request may take by default, so that no request is cut off by a slow database.
 * Kubernetes kills after 30 s.
 */
const requestGraceMs = 25_000;

// V8 lets a heap of 100 MB grow to several times its size before it collects all of it, if the machine has memory. It
// collects when the heap has grown by half: a long import then needs a third of the memory (docs/decisions/515).
setFlagsFromString("--heap-growing-percent=50");

/**
 * The production server: the API from its route files without Next's pipeline, everything else through Next, and the
 * job engine. With `dev`, Next compiles on demand and serves the API too, so that a change needs no restart.
 */
export async function serve({ dev = false } = {}): Promise<RunningServer> {
  const { HOST, PORT, DRAIN_SECONDS, SFTP_PORT } = env();
  let pages: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  const server = frontDoor({
    ...(!dev && { api: apiListener(), files: await listPageFiles(), policy: await pagePolicies() }),
    pages: (request, response) => pages(request, response),
    upgrades: dev,
  });
  const drain = drainable(server);
  // Not HOST: Next calls itself over HTTP where a rewrite's address does not begin with this name, and it writes
  // 127.0.0.1 as localhost.
  const app = next({ dev, dir: process.cwd(), hostname: "localhost", port: PORT, httpServer: server });
  await app.prepare();
  pages = app.getRequestHandler();
  server.listen(PORT, HOST);
  await once(server, "listening");
  const engine = await startJobs();
  setEngineStatus(() => engine.status());
  const sftp = SFTP_PORT === undefined ? null : await serveSftp({ host: HOST, port: SFTP_PORT });
  if (sftp) log().info({ port: sftp.port }, "listening for SFTP");
  const port = (server.address() as { port: number }).port;
  log().info({ port, mode: dev ? "development" : "production" }, "listening");
  return {
    port,
    async stop() {
      log().info("stopping: finishing what is in flight");
      await Promise.all([
        drain.stop({ delayMs: DRAIN_SECONDS * 1000, graceMs: requestGraceMs }),
        sftp?.stop(requestGraceMs),
      ]);
      await app.close();
      await release(engine);
      log().info("stopped");
    },
  };
}

/**
 * Starts the jobs: in a thread of their own, or in this one where an Inngest server calls each over HTTP.
 */
async function startJobs(): Promise<Engine> {
  if (engineMode() === "inngest") return startEngine();
  const thread = await startJobThread();
  setJobThreadFigures(thread.figures);
  return thread;
}
