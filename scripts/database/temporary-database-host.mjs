import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { openEmbedded } from "./database.mjs";
import { describe } from "../launch/describe.mjs";
import { postgresCluster } from "./postgres-cluster.mjs";

// The process behind temporary-database.mjs. It keeps a database until its standard input ends, and stops and starts it
// on commands there.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.stdin.destroy());
// The parent may have ended before the answer; the end of standard input then ends this process.
process.stdout.on("error", () => {});
const directory = mkdtempSync(join(tmpdir(), "bonafide-"));
try {
  const settings = JSON.parse(process.argv[2]);
  const database = await openEmbedded(directory, { doing: () => {} }, { settings });
  const cluster = await postgresCluster(directory, { settings });
  const obey = async (order) => {
    await (order === "start" ? cluster.start() : cluster.stop(order));
    process.stdout.write(`${order}\n`);
  };
  let obeyed = Promise.resolve();
  createInterface({ input: process.stdin }).on("line", (order) => (obeyed = obeyed.then(() => obey(order))));
  process.stdout.write(`${database.ownerUrl}\n`);
  await once(process.stdin, "close");
  await obeyed;
  await database.close();
} catch (error) {
  process.stderr.write(`${describe(error)}\n`);
  process.exitCode = 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
