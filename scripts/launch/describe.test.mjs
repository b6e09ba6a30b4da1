import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { describe as text } from "./describe.mjs";
import { readJsonIfThere } from "./files.mjs";

function errorOf(work) {
  try {
    work();
  } catch (error) {
    return error;
  }
}

function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), "describe-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test("an unexpected system error is reported with its file and instructions, without a stack", () => {
  const path = join(newFolder(), "secret");
  mkdirSync(path);
  const missing = errorOf(() => readFileSync(join(path, "none")));
  expect(text(missing)).toMatch(/none cannot be used: it is not there.*\n\n.*\n\nWhat to do: put it back/s);
  // Reading fails with EISDIR, which names no path.
  expect(text(errorOf(() => readFileSync(path)))).toMatch(/This step failed: a folder is in its place.*What to do/s);
  if (process.platform === "linux")
    expect(text(errorOf(() => writeFileSync("/dev/full", "x")))).toMatch(/the disk is full.*What to do: make space/s);
  for (const told of [missing].map(text)) expect(told).not.toMatch(/^ {4}at /m);
});

test("an incomplete JSON file is named; an empty one counts as none", () => {
  const path = join(newFolder(), "postgres.json");
  writeFileSync(path, '{"port": 5');
  expect(text(errorOf(() => readJsonIfThere(path, "restore it.")))).toBe(
    `${path} is not whole: it holds no JSON that can be read.\n\nWhat to do: restore it.`,
  );
  writeFileSync(path, "");
  expect(readJsonIfThere(path, "restore it.")).toBeUndefined();
});

test("any other error keeps its stack", () => {
  expect(text(new TypeError("x is no function"))).toMatch(/^ {4}at /m);
});
