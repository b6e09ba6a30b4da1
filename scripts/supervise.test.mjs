import { mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { checkDatabase } from "./database-check.mjs";
import { openEmbedded } from "./database.mjs";

const folder = mkdtempSync(join(tmpdir(), "supervised-"));
afterAll(() => rmSync(folder, { recursive: true }));
const answers = (url) => checkDatabase(url).then(() => true, () => false);
const killPostgres = () => process.kill(Number(readFileSync(join(folder, "postgres", "postmaster.pid"), "utf8").split("\n")[0]), "SIGKILL");

test("a PostgreSQL that died is started again on its port, also once what kept it from starting is gone, and given up after a bound", { timeout: 120_000 }, async () => {
  const database = await openEmbedded(folder, { doing: () => {} });
  const told = vi.fn();
  const giveUp = vi.fn();
  const end = database.supervise({ tell: told, giveUp, everyMs: 50, maxDelayMs: 200, giveUpMs: 20_000, stableMs: 0 });
  const backAgain = (times) => vi.waitFor(() => expect(told.mock.calls.filter(([text]) => text === "PostgreSQL runs again.")).toHaveLength(times), { timeout: 60_000, interval: 50 });

  killPostgres();
  await backAgain(1);
  expect(await answers(database.url)).toBe(true);

  const settings = join(folder, "postgres", "postgresql.conf");
  renameSync(settings, `${settings}.away`);
  killPostgres();
  await vi.waitFor(() => expect(told).toHaveBeenCalledWith(expect.stringMatching(/does not start; trying again.*postgresql.conf/s)), { timeout: 60_000, interval: 50 });
  renameSync(`${settings}.away`, settings);
  await backAgain(2);
  expect(await answers(database.url)).toBe(true);
  expect(giveUp).not.toHaveBeenCalled();
  end();

  database.supervise({ tell: told, giveUp, everyMs: 50, maxDelayMs: 200, giveUpMs: 500, stableMs: 0 });
  renameSync(settings, `${settings}.away`);
  killPostgres();
  await vi.waitFor(() => expect(giveUp).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message: expect.stringContaining("PostgreSQL does not start") })), { timeout: 60_000, interval: 50 });
  await database.close();
});
