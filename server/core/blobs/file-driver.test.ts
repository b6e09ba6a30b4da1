import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { fileDriver } from "./file-driver";
import { Upload } from "./upload";

const folders: string[] = [];
const folder = (below: string) => {
  const path = mkdtempSync(join(below, "blobs-"));
  folders.push(path);
  return path;
};
afterAll(() => folders.forEach((path) => rmSync(path, { recursive: true })));

/** Memory, which Linux mounts here for every user. */
const otherVolume = "/dev/shm";
const isOther = () => statSync(otherVolume, { throwIfNoEntry: false })?.dev !== statSync(tmpdir()).dev;

it("stores files on another volume than that of the uploads", async ({ skip }) => {
  if (!isOther()) skip(`${otherVolume} is no volume of its own here`);
  const source = join(folder(tmpdir()), "upload");
  writeFileSync(source, "bytes");
  const root = folder(otherVolume);
  const driver = fileDriver(root);
  await driver.put("org/ab/abc", new Upload(source, 5, "abc"));
  const stored = await driver.open("org/ab/abc");
  expect(stored?.size).toBe(5);
  const chunks: Uint8Array[] = [];
  for await (const chunk of stored!.chunks) chunks.push(chunk);
  expect(Buffer.concat(chunks).toString()).toBe("bytes");
  expect(await readdir(join(root, "incoming"))).toEqual([]);
});

it("removes files that a killed process did not finish, and keeps those that are being written", async () => {
  const root = folder(tmpdir());
  mkdirSync(join(root, "incoming"));
  for (const name of ["left", "new"]) writeFileSync(join(root, "incoming", name), "half");
  utimesSync(join(root, "incoming", "left"), 1, 1);
  await fileDriver(root).removeStale!(new Date(Date.now() - 3_600_000));
  expect(await readdir(join(root, "incoming"))).toEqual(["new"]);
});
