import { spawn } from "node:child_process";
import { constants } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { groupLives, identityOf } from "./process-identity.mjs";

/**
 * Runs a program to its end and returns its output.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions} [options]
 * @returns {Promise<{ code: number | null, output: string }>} `output`: standard output and errors in order; `code` is
 * null if a signal ended it. Rejects if the program cannot be started.
 */
export function run(command, args, options = {}) {
  return endOf(spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], ...options }));
}

function endOf(child) {
  return new Promise((resolve, reject) => {
    const chunks = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => chunks.push(chunk));
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output: Buffer.concat(chunks).toString() }));
  });
}

/** How long a process group may take to end on SIGTERM. */
const endGroupMs = 10_000;

/**
 * Works like run(), in a separate process group: only this process passes a Ctrl-C on, and the program's children end
 * with it.
 *
 * @returns {{ group: { pid: number, identity: string | undefined } | undefined, ended: ReturnType<typeof run>, end: ()
 * => Promise<void> }} `group`: undefined if the program cannot be started; `end`: ends the whole group, by force after
 * 10 s, and resolves when all of it has ended
 */
export function runInGroup(command, args, options = {}) {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], ...options, detached: true });
  const group = child.pid && { pid: child.pid, identity: identityOf(child.pid) };
  const signal = (name) => {
    try {
      process.kill(process.platform === "win32" ? child.pid : -child.pid, name);
    } catch (error) {
      if (error.code !== "ESRCH") throw error;
    }
  };
  async function end() {
    const until = performance.now() + endGroupMs;
    signal("SIGTERM");
    while (groupLives(group) && performance.now() < until) await wait(50);
    if (groupLives(group)) signal("SIGKILL");
    while (groupLives(group)) await wait(50);
  }
  return { group, ended: endOf(child), end };
}

/** The last lines of a program's output, for an error message. */
export const tail = (output, lines = 20) => output.trimEnd().split("\n").slice(-lines).join("\n");

/**
 * Runs a program instead of this one: input, output and signals are passed through.
 *
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

/** The exit code of a process that a signal ended, by the convention of shells. */
export const exitCodeOf = (signal) => 128 + constants.signals[signal];

/** The error of a start that a signal interrupted. */
export const stoppedEarly = (signal) => `Stopped by ${signal} before the start was complete; start again.`;

/** Ends this process in the same way as the process that it ran. */
export function endLike({ code, signal }) {
  if (signal) process.kill(process.pid, signal);
  else process.exit(code);
}
