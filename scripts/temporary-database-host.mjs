import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbedded } from "./database.mjs";
import { describe } from "./failure.mjs";

// The process behind temporary-database.mjs: keeps a database until its standard input ends.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.stdin.destroy());
// Whoever asked may be gone before the answer; then the end of standard input says so.
process.stdout.on("error", () => {});
const directory = mkdtempSync(join(tmpdir(), "bonafide-"));
try {
  const settings = JSON.parse(process.argv[2]);
  const database = await openEmbedded(directory, { doing: () => {} }, { settings });
  process.stdout.write(`${database.url}\n`);
  await once(process.stdin.resume(), "close");
  await database.close();
} catch (error) {
  process.stderr.write(`${describe(error)}\n`);
  process.exitCode = 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
