import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { identityOf } from "./process-identity.mjs";

/**
 * A project with our launcher. Its npm is a program that starts another one, as install scripts do, writes into
 * node_modules and runs until the file "go" exists.
 */
function project() {
  const root = mkdtempSync(join(tmpdir(), "install-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  cpSync(fileURLToPath(new URL(".", import.meta.url)), join(root, "scripts", "launch"), { recursive: true });
  writeFileSync(join(root, "package.json"), JSON.stringify({ type: "module", allowScripts: {} }));
  writeFileSync(join(root, "package-lock.json"), "{}");
  writeFileSync(
    join(root, "npm.js"),
    `import { spawn } from "node:child_process";
     import { existsSync, mkdirSync, symlinkSync, writeFileSync, appendFileSync } from "node:fs";
     const child = spawn(process.execPath, ["--eval", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
     mkdirSync("node_modules/half", { recursive: true });
     appendFileSync("pids", process.pid + " " + child.pid + "\\n");
     setInterval(() => {
       if (!existsSync("go")) return;
       const bin = \`node_modules/node-\${process.platform}-\${process.arch}/bin\`;
       mkdirSync(bin, { recursive: true });
       if (!existsSync(bin + "/node")) symlinkSync(process.execPath, bin + "/node");
       mkdirSync("node_modules/node", { recursive: true });
       writeFileSync("node_modules/node/package.json", JSON.stringify({ version: process.versions.node }));
       child.kill("SIGKILL");
       process.exit(0);
     }, 20);`,
  );
  writeFileSync(
    join(root, "start.js"),
    `import { launch } from "./scripts/launch/launch.mjs"; await launch(async () => console.log("started"));`,
  );
  const pids = () =>
    existsSync(join(root, "pids")) ? readFileSync(join(root, "pids"), "utf8").trim().split(/\s+/).map(Number) : [];
  return { root, pids, go: () => writeFileSync(join(root, "go"), "") };
}

function start(root) {
  const child = spawn(process.execPath, ["start.js"], {
    cwd: root,
    env: { ...process.env, npm_execpath: join(root, "npm.js") },
  });
  const told = { text: "" };
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (told.text += chunk));
  onTestFinished(() => child.kill("SIGKILL"));
  return { child, told, ended: once(child, "close") };
}

const lives = (pid) => identityOf(pid) !== undefined;
const until = (condition) => vi.waitUntil(condition, { timeout: 30_000, interval: 20 });

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
])(
  "%s during the install ends npm and its children before the start ends",
  { timeout: 60_000 },
  async (signal, code) => {
    const { root, pids } = project();
    const { child, told, ended } = start(root);
    await until(() => pids().length === 2);
    child.kill(signal);
    expect(await ended).toEqual([code, null]);
    expect(pids().map(lives)).toEqual([false, false]);
    expect(told.text).toMatch(/Stopped by SIG(INT|TERM) .*start again/);
  },
);

test("a start waits for the npm of a killed earlier start, and then installs again", {
  timeout: 60_000,
}, async () => {
  const { root, pids, go } = project();
  const killed = start(root);
  await until(
    () =>
      pids().length === 2 &&
      readFileSync(join(root, "node_modules", ".bonafide-installed"), "utf8").includes(`"npm":{"pid":${pids()[0]}`),
  );
  killed.child.kill("SIGKILL");
  await killed.ended;
  onTestFinished(() =>
    pids()
      .filter(lives)
      .forEach((pid) => process.kill(pid, "SIGKILL")),
  );
  const next = start(root);
  await until(() => next.told.text.includes(`the npm of an earlier start (process ${pids()[0]})`));
  // Only its child still installs.
  process.kill(pids()[0], "SIGKILL");
  await until(() => !lives(pids()[0]));
  expect(pids()).toHaveLength(2);
  process.kill(pids()[1], "SIGKILL");
  await until(() => pids().length === 4);
  go();
  expect(await next.ended).toEqual([0, null]);
  expect(next.told.text).toContain("started");
});

test("of two starts at once, one installs and the other waits for it", { timeout: 60_000 }, async () => {
  const { root, pids, go } = project();
  const first = start(root);
  await until(() => pids().length === 2);
  const second = start(root);
  await until(() => second.told.text.includes(`waiting for process ${first.child.pid}`));
  go();
  expect([await first.ended, await second.ended]).toEqual([
    [0, null],
    [0, null],
  ]);
  expect(second.told.text).toMatch(/installed by another process.*started/s);
  expect(pids()).toHaveLength(2);
});

test("a note of an aborted install is ignored", { timeout: 60_000 }, async () => {
  const { root, go } = project();
  mkdirSync(join(root, "node_modules"));
  writeFileSync(join(root, "node_modules", ".bonafide-installed"), '{"laun');
  go();
  const { told, ended } = start(root);
  expect(await ended).toEqual([0, null]);
  expect(told.text).toContain("started");
});
