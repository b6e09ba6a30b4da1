import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "../scripts/database/ports.mjs";
import { serverFlags } from "../scripts/service/server-flags.mjs";

/** A process that listens on loopback. It ends when this process ends, in whichever way. */
export interface Server {
  origin: string;
  pid: number;
  /** Processor time of the process so far, user and system, in milliseconds. */
  cpuTime(): Promise<number>;
  stop(): Promise<void>;
}

/** The production server (server/serve.ts), with its job engine. */
export const startServer = (databaseUrl: string) => start("bench/server-process.mjs", databaseUrl, serverFlags);

/** The same application served by Next alone: the reference for the fast path. */
export const startNext = (databaseUrl: string) => start("bench/next-process.mjs", databaseUrl);

/** A bare node:http server with one SQL look-up (bare-server.ts). */
export const startBare = (databaseUrl: string) => start(".build/bench/bare-server.mjs", databaseUrl);

/** A listener of webhooks (listener-process.mjs). */
export const startListener = () => start("bench/listener-process.mjs", "");

/** A dispatcher of webhooks that sends on request and reports its memory (sender-process.ts). */
export const startSender = (databaseUrl: string) =>
  start(".build/bench/sender-process.mjs", databaseUrl, ["--expose-gc"]);

async function start(script: string, databaseUrl: string, options: string[] = []): Promise<Server> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const env = { ...process.env, DATABASE_URL: databaseUrl, HOST: "127.0.0.1", PORT: String(port), PUBLIC_URL: origin };
  // Only the table goes to standard output.
  const child = spawn(process.execPath, ["--import", "./bench/tell-cpu-time.mjs", ...options, script], {
    env,
    stdio: ["ignore", 2, 2, "ipc"],
  });
  await untilHealthy(origin, child);
  return {
    origin,
    pid: child.pid!,
    async cpuTime() {
      const answered = once(child, "message");
      child.send("cpu time");
      const [milliseconds] = (await answered) as [number];
      return milliseconds;
    },
    async stop() {
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
    },
  };
}

async function untilHealthy(origin: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (child.exitCode !== null) throw new Error(`A server ended with ${child.exitCode} before it was ready`);
    const healthy = await fetch(`${origin}/healthz`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (healthy) return;
    await pause(100);
  }
  child.kill("SIGKILL");
  throw new Error("A server did not get ready within a minute");
}
