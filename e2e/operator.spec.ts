import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { oneBrowser } from "./fixtures/test";
import { startService } from "./fixtures/service";

let dataDirectory: string;
test.beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "bonafide-operator-"));
});
test.afterEach(() => rm(dataDirectory, { recursive: true, force: true }));

const start = (more: Record<string, string> = {}) => startService({ DATA_DIR: dataDirectory, ...more });
const statusOf = (url: string) =>
  fetch(url).then(
    ({ status }) => status,
    () => 0,
  );

test(
  "npm start: an embedded PostgreSQL that is killed is started again, and the service answers as before",
  oneBrowser,
  async () => {
    const service = await start();
    const { id } = await service.adminCommand<{ id: string }>(["org", "create", "--name", "Acme University"]);
    const pid = Number((await readFile(join(dataDirectory, "postgres", "postmaster.pid"), "utf8")).split("\n")[0]);
    process.kill(pid, "SIGKILL");
    await expect.poll(() => statusOf(`${service.url}/readyz`), { timeout: 60_000 }).toBe(503);
    await expect.poll(() => statusOf(`${service.url}/readyz`), { timeout: 60_000 }).toBe(200);
    expect(await service.adminCommand(["org", "list"])).toMatchObject([{ id }]);
    expect(await service.stop()).toBe(0);
  },
);

test(
  "npm start: another master secret is refused with an explanation; a rotation accepts both until all is re-encrypted",
  oneBrowser,
  async () => {
    const first = await start();
    await first.stop();
    const other = { BONAFIDE_SECRET: "another-master-secret-than-the-one-in-use" };
    await expect(start(other)).rejects.toThrow(
      /not the one that this database was used with[\s\S]*What to do: set BONAFIDE_SECRET/,
    );
    await rm(join(dataDirectory, "secret"));
    await expect(start()).rejects.toThrow(/The master secret is missing[\s\S]*never made beside existing data/);
  },
);

test(
  "npm start: the master secret in the data directory is rotated at run time, and a restart removes the previous one",
  oneBrowser,
  async () => {
    const before = await start();
    expect(await before.adminCommand(["secret", "rotate"])).toEqual({ state: "kept", secret: null });
    const early = before.adminCommand(["secret", "reencrypt"]);
    await expect(early).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/"reencrypted":0,.*"done":false/),
    });
    expect(await statusOf(`${before.url}/readyz`)).toBe(200);
    await before.stop();
    const after = await start();
    expect(await after.adminCommand(["secret", "reencrypt"])).toMatchObject({ done: true, unreadable: {} });
    await expect(readFile(join(dataDirectory, "secret.previous"))).rejects.toThrow(/ENOENT/);
    await after.stop();
    const last = await start();
    expect(await statusOf(`${last.url}/readyz`)).toBe(200);
    await last.stop();
  },
);
