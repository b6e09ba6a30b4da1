import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { root } from "../launch/paths.mjs";

const isTest = /\.test\.tsx?$/;

/**
 * Returns one hash over the names and contents of these files and folders of the project, without tests. A build is
 * repeated only if the hash of its sources changes.
 *
 * @param {string[]} paths relative to the project; missing ones count as absent
 */
export function hashOfSources(paths) {
  const hash = createHash("sha256").update(process.version);
  for (const path of paths)
    for (const file of filesOf(path)) hash.update(`\n${file}\n`).update(readFileSync(join(root, file)));
  return hash.digest("hex");
}

function filesOf(path) {
  const stat = statSync(join(root, path), { throwIfNoEntry: false });
  if (!stat) return [];
  if (!stat.isDirectory()) return [path];
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesOf(`${path}/${name}`))
    .filter((file) => !isTest.test(file));
}
