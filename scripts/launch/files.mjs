import { readFileSync, renameSync, writeFileSync } from "node:fs";

/** The content of a text file; undefined where there is none. */
export function readIfThere(path) {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Writes a file that is there whole or not at all, for its owner alone. */
export function writeWhole(path, content) {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, content, { mode: 0o600 });
  renameSync(draft, path);
}
