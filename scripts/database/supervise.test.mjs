import { once } from "node:events";
import { mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { checkDatabase } from "./database-check.mjs";
import { openEmbedded } from "./database.mjs";
import { postgresCluster } from "./postgres-cluster.mjs";
import { supervise } from "./supervise.mjs";

const folder = mkdtempSync(join(tmpdir(), "supervised-"));
afterAll(() => rmSync(folder, { recursive: true }));
const answers = (url) =>
  checkDatabase(url).then(
    () => true,
    () => false,
  );
const killPostgres = () =>
  process.kill(Number(readFileSync(join(folder, "postgres", "postmaster.pid"), "utf8").split("\n")[0]), "SIGKILL");

test("a PostgreSQL that died is restarted on its port, also after the obstacle is gone, and given up after a time limit", {
  timeout: 120_000,
}, async () => {
  const database = await openEmbedded(folder, { doing: () => {} });
  const told = vi.fn();
  const giveUp = vi.fn();
  const end = database.supervise({ tell: told, giveUp, everyMs: 50, maxDelayMs: 200, giveUpMs: 20_000, stableMs: 0 });
  const backAgain = (times) =>
    vi.waitFor(
      () => expect(told.mock.calls.filter(([text]) => text === "PostgreSQL runs again.")).toHaveLength(times),
      { timeout: 60_000, interval: 50 },
    );

  killPostgres();
  await backAgain(1);
  expect(await answers(database.url)).toBe(true);

  const settings = join(folder, "postgres", "postgresql.conf");
  renameSync(settings, `${settings}.away`);
  killPostgres();
  await vi.waitFor(
    () =>
      expect(told).toHaveBeenCalledWith(
        expect.stringMatching(/trying again.*PostgreSQL does not start.*postgresql.conf/s),
      ),
    { timeout: 60_000, interval: 50 },
  );
  renameSync(`${settings}.away`, settings);
  await backAgain(2);
  expect(await answers(database.url)).toBe(true);
  expect(giveUp).not.toHaveBeenCalled();
  end();

  database.supervise({ tell: told, giveUp, everyMs: 50, maxDelayMs: 200, giveUpMs: 500, stableMs: 0 });
  renameSync(settings, `${settings}.away`);
  killPostgres();
  await vi.waitFor(
    () =>
      expect(giveUp).toHaveBeenCalledExactlyOnceWith(
        expect.objectContaining({ message: expect.stringContaining("PostgreSQL does not start") }),
      ),
    { timeout: 60_000, interval: 50 },
  );
  renameSync(`${settings}.away`, settings);
  await database.close();
});

test("a PostgreSQL on an unknown port cannot be reached, and is given up after the time limit", {
  timeout: 120_000,
}, async () => {
  const database = await openEmbedded(folder, { doing: () => {} });
  killPostgres();
  while (await answers(database.url)) await new Promise(setImmediate);
  const squatter = createServer().listen(Number(new URL(database.url).port), "127.0.0.1");
  await once(squatter, "listening");
  const cluster = await postgresCluster(folder);
  await cluster.start();
  expect(cluster.applicationUrl()).not.toBe(database.url);

  const giveUp = vi.fn();
  database.supervise({ tell: () => {}, giveUp, everyMs: 50, maxDelayMs: 200, giveUpMs: 500, stableMs: 0 });
  const elsewhere = {
    name: "Failure",
    message: expect.stringMatching(/PostgreSQL runs on port \d+, and this server looks for it at/),
  };
  await vi.waitFor(() => expect(giveUp).toHaveBeenCalledExactlyOnceWith(expect.objectContaining(elsewhere)), {
    timeout: 60_000,
    interval: 50,
  });
  squatter.close();
  await database.close();
});

test("a failing check of PostgreSQL is repeated until the time limit", { timeout: 60_000 }, async () => {
  const failure = Object.assign(new Error("EMFILE: too many open files"), { code: "EMFILE" });
  const start = vi.fn();
  const told = vi.fn();
  const giveUp = vi.fn();
  const isReached = vi.fn().mockRejectedValueOnce(failure).mockRejectedValueOnce(failure).mockResolvedValue(true);
  const end = supervise(
    { isReached, start },
    { tell: told, giveUp, everyMs: 5, maxDelayMs: 20, giveUpMs: 60_000, stableMs: 0 },
  );
  await vi.waitFor(() => expect(isReached.mock.calls.length).toBeGreaterThan(3), 20_000);
  expect(told).toHaveBeenCalledTimes(2);
  end();
  expect(giveUp).not.toHaveBeenCalled();

  isReached.mockReset().mockRejectedValue(failure);
  supervise({ isReached, start }, { tell: told, giveUp, everyMs: 5, maxDelayMs: 20, giveUpMs: 1000, stableMs: 0 });
  await vi.waitFor(() => expect(giveUp).toHaveBeenCalledExactlyOnceWith(failure), 20_000);
  expect(isReached.mock.calls.length).toBeGreaterThan(3);
  expect(start).not.toHaveBeenCalled();
});

test("if it is unknown whether PostgreSQL runs, the supervisor, a start and a stop say so, and nothing is removed", {
  timeout: 120_000,
}, async () => {
  const database = await openEmbedded(folder, { doing: () => {} });
  const pidFile = join(folder, "postgres", "postmaster.pid");
  const told = vi.fn();
  const giveUp = vi.fn();
  const end = database.supervise({ tell: told, giveUp, everyMs: 50, maxDelayMs: 200, giveUpMs: 60_000, stableMs: 0 });
  // Root can read every file, except at a path that is a loop of links.
  renameSync(pidFile, `${pidFile}.away`);
  symlinkSync("postmaster.pid", pidFile);
  const unknown = expect.objectContaining({ name: "Failure", todo: expect.stringMatching(/./) });
  await vi.waitFor(() => expect(told).toHaveBeenCalledWith(expect.stringMatching(/cannot be found out/)), {
    timeout: 20_000,
    interval: 50,
  });
  await expect(openEmbedded(folder, { doing: () => {} })).rejects.toEqual(unknown);
  await expect(database.close()).rejects.toEqual(unknown);
  rmSync(pidFile);
  renameSync(`${pidFile}.away`, pidFile);
  expect(giveUp).not.toHaveBeenCalled();
  expect(await answers(database.url)).toBe(true);
  end();
  await database.close();
});
