import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** Removes the files of a folder that are older than `before`, which killed processes left behind. */
export async function removeStaleFiles(folder: string, before: Date): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const known = await stat(path).catch(() => null);
    if (known && known.mtime < before) await rm(path, { force: true });
  }
}
