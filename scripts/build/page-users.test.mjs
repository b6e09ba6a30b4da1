import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { refuseWhileServed, usePages } from "./page-users.mjs";

let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "page-users-"));
  return () => rmSync(folder, { recursive: true });
});

/** Another process that serves the pages. */
async function otherServer() {
  const child = spawn(process.execPath, [
    "--input-type=module",
    "--eval",
    `import { usePages } from ${JSON.stringify(new URL("page-users.mjs", import.meta.url))};
     usePages("http://first", ${JSON.stringify(folder)}); console.log("serves"); setInterval(() => {}, 1000);`,
  ]);
  onTestFinished(() => child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return child;
}

describe("a build of the pages", () => {
  test("is refused while a server serves those of an earlier build, and told what to stop", async () => {
    const { pid } = await otherServer();
    expect(() => refuseWhileServed(folder)).toThrow(
      expect.objectContaining({
        name: "Failure",
        message: expect.stringContaining(`process ${pid}, http://first`),
        todo: expect.stringContaining(`kill ${pid}`),
      }),
    );
  });

  test("is allowed once that server was killed, and its note is removed", async () => {
    const server = await otherServer();
    const ended = once(server, "exit");
    server.kill("SIGKILL");
    await ended;
    refuseWhileServed(folder);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("is allowed once that server has stopped", () => {
    const release = usePages("http://mine", folder);
    expect(() => refuseWhileServed(folder)).toThrow(`process ${process.pid}`);
    release();
    refuseWhileServed(folder);
  });
});
