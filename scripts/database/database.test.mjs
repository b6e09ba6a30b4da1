import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { checkDatabase } from "./database-check.mjs";
import { openEmbedded } from "./database.mjs";

const folder = mkdtempSync(join(tmpdir(), "embedded-"));
const open = (options) => openEmbedded(folder, { doing: () => {} }, options);
const postmaster = () => Number(readFileSync(join(folder, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
const answers = (url) =>
  checkDatabase(url).then(
    () => true,
    () => false,
  );
afterAll(() => rmSync(folder, { recursive: true }));

/** Another process that uses the database until its standard input ends. */
async function user() {
  const script = `import { openEmbedded } from ${JSON.stringify(new URL("database.mjs", import.meta.url))};
    const database = await openEmbedded(${JSON.stringify(folder)}, { doing() {} });
    console.log(database.url);
    process.stdin.resume().once("close", () => database.close());`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [url] = await once(child.stdout.setEncoding("utf8"), "data");
  return { child, url: url.trim(), ended: once(child, "exit") };
}

test("the embedded PostgreSQL survives the kill of a process that uses it, serves several, and stops with the last", {
  timeout: 120_000,
}, async () => {
  const killed = await user();
  killed.child.kill("SIGKILL");
  await killed.ended;
  const left = postmaster();

  const mine = await open();
  expect(mine.url).toBe(killed.url);
  expect(postmaster()).toBe(left);
  const other = await user();
  await mine.close();
  expect(await answers(mine.url)).toBe(true);
  other.child.stdin.end();
  await other.ended;
  expect(await answers(mine.url)).toBe(false);
});

test("a stopped PostgreSQL starts on another port if the server now uses its former port", {
  timeout: 120_000,
}, async () => {
  const before = await open();
  await before.close();
  const after = await open({ reservedPorts: [Number(new URL(before.url).port)] });
  expect(new URL(after.url).port).not.toBe(new URL(before.url).port);
  expect(await answers(after.url)).toBe(true);
  await after.close();
});

/** A process id that PostgreSQL, which asks the system, would consider a running server. */
async function processOfTheSameUser() {
  const client = new pg.Client(process.env.DATABASE_URL);
  await client.connect();
  const { rows } = await client.query(
    "SELECT min(pid) AS pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'",
  );
  await client.end();
  return rows[0].pid;
}

test("it starts after a killed postmaster, even if another process has its process id now, and on another port if its own is taken", {
  timeout: 120_000,
}, async () => {
  const first = await open();
  process.kill(postmaster(), "SIGKILL");
  while (await answers(first.url)) await new Promise(setImmediate);
  const pidFile = join(folder, "postgres", "postmaster.pid");
  writeFileSync(pidFile, readFileSync(pidFile, "utf8").replace(/^\d+/, String(await processOfTheSameUser())));
  const squatter = createServer().listen(Number(new URL(first.url).port), "127.0.0.1");
  await once(squatter, "listening");

  const second = await open();
  expect(new URL(second.url).port).not.toBe(new URL(first.url).port);
  expect(await answers(second.url)).toBe(true);
  await second.close();
  squatter.close();
});

test("the port does not change while another process uses the database, and a process that has to wait says why", {
  timeout: 120_000,
}, async () => {
  const server = await user();
  process.kill(postmaster(), "SIGKILL");
  while (await answers(server.url)) await new Promise(setImmediate);
  const port = Number(new URL(server.url).port);
  const squatter = createServer().listen(port, "127.0.0.1");
  await once(squatter, "listening");
  await expect(open()).rejects.toMatchObject({
    name: "Failure",
    message: expect.stringMatching(new RegExp(`another program has its port ${port}`)),
    // Read from the file of the logging collector.
    detail: expect.stringMatching(/could not bind IPv4 address/),
  });
  squatter.close();
  await once(squatter, "close");
  const mine = await open();
  expect(mine.url).toBe(server.url);
  await mine.close();
  server.child.stdin.end();
  await server.ended;
});

// A file is first written as a draft; a link to the device that is always full simulates the full disk.
test.runIf(existsSync("/dev/full")).each(["postgres.lock", "postgres-users.json"])(
  "the last process stops PostgreSQL even if the disk is too full to write %s",
  { timeout: 120_000 },
  async (name) => {
    const database = await open();
    symlinkSync("/dev/full", join(folder, `${name}.${process.pid}`));
    await database.close();
    expect(await answers(database.url)).toBe(false);
  },
);

test("a truncated list of processes is refused with instructions, and an empty one counts as none", {
  timeout: 120_000,
}, async () => {
  const users = join(folder, "postgres-users.json");
  writeFileSync(users, '[{"pid":');
  await expect(open()).rejects.toMatchObject({
    name: "Failure",
    message: expect.stringContaining(`${users} is not whole`),
    todo: expect.stringContaining("remove that file"),
  });
  writeFileSync(users, "");
  const database = await open();
  await database.close();
  expect(await answers(database.url)).toBe(false);
});

test("the processes of connections let this process go first", { timeout: 120_000 }, async () => {
  const database = await open();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query("SELECT pg_backend_pid() AS pid");
  expect(getPriority(rows[0].pid)).toBe(Math.min(getPriority() + 5, 19));
  await client.end();
  await database.close();
});
