import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const host = fileURLToPath(new URL("temporary-database-host.mjs", import.meta.url));

/** Data for tests need not survive a power cut. */
const fast = { fsync: "off", full_page_writes: "off", max_connections: 500 };

/**
 * Starts a separate PostgreSQL in a temporary folder. `close` stops and removes it, and so does the end of this process
 * in any way. `stop` and `start` are for tests of outages: "immediate" simulates a crash.
 *
 * @param {Record<string, string | number>} [settings] further settings of PostgreSQL
 * @returns {Promise<{ url: string, stop: (mode: "fast" | "immediate") => Promise<void>, start: () => Promise<void>,
 * close: () => Promise<void> }>}
 */
export async function temporaryDatabase(settings = fast) {
  // In its own process group, so that Ctrl-C does not stop the database under the tests that are still finishing.
  const child = spawn(process.execPath, [host, JSON.stringify(settings)], {
    stdio: ["pipe", "pipe", "inherit"],
    detached: true,
  });
  const ended = once(child, "exit");
  const answer = () =>
    Promise.race([
      once(child.stdout.setEncoding("utf8"), "data"),
      ended.then(() => {
        throw new Error("The temporary PostgreSQL did not start or stop.");
      }),
    ]);
  const order = async (text) => {
    child.stdin.write(`${text}\n`);
    await answer();
  };
  const [url] = await answer();
  child.unref();
  child.stdin.unref();
  child.stdout.unref();
  return {
    url: url.trim(),
    stop: order,
    start: () => order("start"),
    close: async () => {
      child.ref();
      child.stdin.end();
      await ended;
    },
  };
}
