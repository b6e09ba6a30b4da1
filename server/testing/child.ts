import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";

export interface Child {
  process: ChildProcess;
  /** Resolves with the next line that the child prints. */
  line(): Promise<string>;
  /** Sends SIGKILL: no handler runs, and transactions are not closed. */
  kill(): Promise<void>;
}

/** Bundles a TypeScript entry and runs it in its own process, with this process's environment and `env`. */
export async function runChild(entry: string, args: string[] = [], env: Record<string, string> = {}): Promise<Child> {
  // Inside the project, so that packages can be resolved.
  const folder = await mkdtemp(join(process.cwd(), "node_modules/.child-"));
  const outfile = join(folder, "child.mjs");
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node24",
    packages: "external",
    logLevel: "error",
  });
  const child = spawn(process.execPath, [outfile, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...env },
  });
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const ended = once(child, "exit").finally(() => rm(folder, { recursive: true, force: true }));
  return {
    process: child,
    async line() {
      const { value, done } = await lines.next();
      if (done) throw new Error("The child ended without another line");
      return value;
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
