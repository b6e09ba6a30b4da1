import { spawn } from "node:child_process";

/**
 * Runs a program to its end and keeps its output.
 * @param {string} command
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions} [options]
 * @returns {Promise<{ code: number | null, output: string }>} `output`: standard output and errors in their order;
 *   `code` is null where a signal ended it. Rejects where the program cannot be started.
 */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
    const chunks = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => chunks.push(chunk));
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output: Buffer.concat(chunks).toString() }));
  });
}

/** The last lines of what a program said, for an error message. */
export const tail = (output, lines = 20) => output.trimEnd().split("\n").slice(-lines).join("\n");

/**
 * Runs a program in our place: its input and output are ours, and so are the signals.
 * @param {import("node:child_process").SpawnOptions} [options]
 * @returns {Promise<{ code: number | null, signal: NodeJS.Signals | null }>}
 */
export function runInOurPlace(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: "inherit", ...options });
    const forward = (signal) => child.kill(signal);
    for (const signal of endingSignals) process.on(signal, forward);
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      for (const each of endingSignals) process.removeListener(each, forward);
      resolve({ code, signal });
    });
  });
}

export const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Ends this process as the one that ran in its place ended. */
export function endLike({ code, signal }) {
  if (signal) process.kill(process.pid, signal);
  else process.exit(code);
}
