import { spawn } from "node:child_process";
import { constants } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { groupLives, identityOf } from "./process-identity.mjs";

/**
 * Runs a program to its end and keeps its output.
 * @param {string} command
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions} [options]
 * @returns {Promise<{ code: number | null, output: string }>} `output`: standard output and errors in their order;
 *   `code` is null where a signal ended it. Rejects where the program cannot be started.
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

/** How long a process group may take to end by itself. */
const endGroupMs = 10_000;

/**
 * Like run(), in a process group of its own: a Ctrl-C reaches it through us alone, and what it started ends with it.
 * @returns {{ group: { pid: number, identity: string | undefined } | undefined, ended: ReturnType<typeof run>, end: ()
 *   => Promise<void> }} `group`: undefined where the program cannot be started; `end`: ends all of it, by force after
 *   10 s, and resolves once none of it lives
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

/** The exit code that shells give for a process that a signal ended. */
export const exitCodeOf = (signal) => 128 + constants.signals[signal];

/** What a start says that a signal interrupted. */
export const stoppedEarly = (signal) => `Stopped by ${signal} before the start was complete; start again.`;

/** Ends this process as the one that ran in its place ended. */
export function endLike({ code, signal }) {
  if (signal) process.kill(process.pid, signal);
  else process.exit(code);
}
