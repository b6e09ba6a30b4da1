import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { becomeTheServer, refuseSecondServer, runningServer } from "./instance.mjs";

let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "instance-"));
  return () => rmSync(folder, { recursive: true });
});

/** Another process that runs as the server of the folder. */
async function otherServer() {
  const child = spawn(process.execPath, [
    "--input-type=module",
    "--eval",
    `import { becomeTheServer } from ${JSON.stringify(new URL("instance.mjs", import.meta.url))};
     await becomeTheServer(${JSON.stringify(folder)}, "http://first"); console.log("is"); setInterval(() => {}, 1000);`,
  ]);
  onTestFinished(() => child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return child;
}

describe("a second server on a data directory", () => {
  test("is refused if the database is in it, and told when servers may share it", async () => {
    const { pid } = await otherServer();
    expect(() => refuseSecondServer(folder)).toThrow(`process ${pid}, http://first`);
    await expect(becomeTheServer(folder, "http://second")).rejects.toMatchObject({
      name: "Failure",
      todo: expect.stringMatching(/share a data directory if each of them has the same DATABASE_URL/),
    });
  });

  test("shares it if the database is elsewhere, and leaves the lock to the first server", async () => {
    const { pid } = await otherServer();
    const release = await becomeTheServer(folder, "http://second", { shared: true });
    expect(runningServer(folder)).toMatchObject({ pid, publicUrl: "http://first" });
    release();
    expect(runningServer(folder)).toMatchObject({ pid });
  });
});

describe("the lock of the server", () => {
  test.each(["", '{"pid":', "null"])("that holds %j counts as none", async (text) => {
    writeFileSync(join(folder, "server.lock.json"), text);
    expect(runningServer(folder)).toBeUndefined();
    refuseSecondServer(folder);
    const release = await becomeTheServer(folder, "http://mine");
    expect(runningServer(folder)).toMatchObject({ pid: process.pid });
    release();
  });

  test.runIf(existsSync("/dev/full"))("is refused with an explanation if the disk is full", async () => {
    symlinkSync("/dev/full", join(folder, `server.lock.json.${process.pid}`));
    await expect(becomeTheServer(folder, "http://mine")).rejects.toMatchObject({
      name: "Failure",
      message: expect.stringMatching(/cannot be used: the disk is full/),
    });
  });
});
