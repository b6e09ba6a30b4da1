import { spawn } from "node:child_process";

/**
 * Runs a program to its end. `show` passes its output on; otherwise it is kept.
 * @param {string} command
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions & { show?: boolean }} [options]
 * @returns {Promise<{ code: number | null, output: string }>} `output`: standard output and errors in their order;
 *   `code` is null where a signal ended it. Rejects where the program cannot be started.
 */
export function run(command, args, { show = false, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: show ? "inherit" : ["ignore", "pipe", "pipe"], ...options });
    const chunks = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => chunks.push(chunk));
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output: Buffer.concat(chunks).toString() }));
  });
}

/** The last lines of what a program said, for an error message. */
export const tail = (output, lines = 20) => output.trimEnd().split("\n").slice(-lines).join("\n");
