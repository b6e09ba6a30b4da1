import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { affordableConnections, limitOfOpenFiles } from "./open-files";

const folder = mkdtempSync(join(tmpdir(), "limits-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("affordableConnections leaves room below the limit of open files", () => {
  expect(affordableConnections(5000, 1024)).toBe(768);
  expect(affordableConnections(5000, 300)).toBe(150);
  expect(affordableConnections(5000, 65_536)).toBe(5000);
  expect(affordableConnections(5000, Infinity)).toBe(5000);
  expect(affordableConnections(10, 12)).toBe(10);
});

it.runIf(process.platform === "linux")(
  "reads the limit of a process; Infinity if the system does not report it",
  () => {
    const path = join(folder, "limits");
    writeFileSync(path, execFileSync("sh", ["-c", "ulimit -n 300; cat /proc/self/limits"]));
    expect(limitOfOpenFiles(path)).toBe(300);
    expect(limitOfOpenFiles()).toBeGreaterThan(0);
    expect(limitOfOpenFiles(join(folder, "none"))).toBe(Infinity);
  },
);
