import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { root } from "../launch/paths.mjs";

const isTest = /\.test\.tsx?$/;

/**
 * One hash over the names and contents of these files and folders of the project, tests left out, so that what was
 * built of them is built again when they change and only then.
 * @param {string[]} paths relative to the project; those that are not there count as absent
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
