import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { takeLock, withLock } from "./lock.mjs";
import { identityOf } from "../launch/process-identity.mjs";

const folder = mkdtempSync(join(tmpdir(), "lock-"));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;
const newPath = () => join(folder, `${count++}.lock`);

/** A process that takes the lock and keeps it until it is killed. */
async function holder(path) {
  const child = spawn(process.execPath, [
    "--input-type=module",
    "--eval",
    `import { takeLock } from ${JSON.stringify(new URL("lock.mjs", import.meta.url))}; console.log("release" in (await takeLock(${JSON.stringify(path)}, { publicUrl: "http://first" }))); setInterval(() => {}, 1000);`,
  ]);
  const [answer] = await once(child.stdout.setEncoding("utf8"), "data");
  expect(answer.trim()).toBe("true");
  return child;
}

describe("a lock", () => {
  test("belongs to one process at a time, and names its holder", async () => {
    const path = newPath();
    const child = await holder(path);
    expect(await takeLock(path)).toEqual({
      holder: { pid: child.pid, identity: identityOf(child.pid), publicUrl: "http://first" },
    });
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(await takeLock(path)).toHaveProperty("release");
  });

  test("is dead if another process has its process id now", async () => {
    const path = newPath();
    writeFileSync(path, JSON.stringify({ pid: process.ppid, identity: "another boot 1" }));
    expect(await takeLock(path)).toHaveProperty("release");
  });

  test("is dead if its file was only partly written", async () => {
    const path = newPath();
    writeFileSync(path, "");
    expect(await takeLock(path)).toHaveProperty("release");
  });

  test("can be taken again after its release, and leaves no file", async () => {
    const path = newPath();
    const { release } = await takeLock(path);
    release();
    await withLock(path, async () => expect(await takeLock(path)).toMatchObject({ holder: { pid: process.pid } }));
    expect(readdirSync(folder).filter((name) => join(folder, name).startsWith(path))).toEqual([]);
  });

  test("lets waiting processes in one after the other", async () => {
    const path = newPath();
    let inside = 0;
    const most = await Promise.all(
      Array.from({ length: 4 }, () =>
        withLock(path, async () => {
          inside++;
          await new Promise((resolve) => setImmediate(resolve));
          return inside--;
        }),
      ),
    );
    expect(Math.max(...most)).toBe(1);
  });
});
