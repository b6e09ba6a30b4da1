import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/** More than a failed start writes. */
const mostBytes = 65_536;

/**
 * Reads what PostgreSQL's logging collector writes into `folder` from now on.
 *
 * @param {string} folder
 */
export function postgresLogs(folder) {
  const before = sizes(folder);
  const added = () =>
    Object.entries(sizes(folder))
      .map(([name, size]) => {
        const from = size >= (before[name] ?? 0) ? (before[name] ?? 0) : 0;
        return readFileSync(join(folder, name))
          .subarray(Math.max(from, size - mostBytes))
          .toString();
      })
      .join("");
  return {
    /**
     * For use after a failed start. The collector ends shortly after the server, so wait for its last line for up to a
     * second.
     */
    async written() {
      for (let patience = 20; ; patience--) {
        const text = added();
        if (patience === 0 || text.includes("database system is shut down")) return text;
        await wait(50);
      }
    },
  };
}

/** @returns {Record<string, number>} */
function sizes(folder) {
  if (!statSync(folder, { throwIfNoEntry: false })) return {};
  return Object.fromEntries(readdirSync(folder).map((name) => [name, statSync(join(folder, name)).size]));
}
