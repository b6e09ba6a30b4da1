import { randomUUID } from "node:crypto";
import { constants, createReadStream } from "node:fs";
import { access, copyFile, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { BlobDriver } from "./driver";
import { removeStaleFiles } from "./stale-files";
import { storageFailure } from "./storage-failure";

/**
 * Keeps blobs as files below a folder. A file is written under another name, synced, renamed, and then its folder is
 * synced, so that neither a crash nor a power cut leaves half a file.
 */
export function fileDriver(root: string): BlobDriver {
  const pathOf = (key: string) => join(root, key);
  // Below the root, because the root may be a separate volume, and a file can be renamed only within one volume.
  const incoming = join(root, "incoming");
  return {
    async put(key, { path: source }) {
      const target = pathOf(key);
      const temporary = join(incoming, randomUUID());
      try {
        for (const folder of [dirname(target), incoming]) await mkdir(folder, { recursive: true, mode: 0o700 });
        // Copied, not moved, since the operation may still read the upload. Cheap if the file system shares blocks.
        await copyFile(source, temporary, constants.COPYFILE_FICLONE);
        await synced(temporary);
        await rename(temporary, target);
        await synced(dirname(target));
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => undefined);
        throw storageFailure(error);
      }
    },
    async open(key) {
      try {
        const { size } = await stat(pathOf(key));
        return { size, chunks: bytesOf(pathOf(key)) };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
        throw storageFailure(error);
      }
    },
    exists: (key) =>
      access(pathOf(key)).then(
        () => true,
        () => false,
      ),
    delete: (key) => rm(pathOf(key), { force: true }),
    removeStale: (before) => removeStaleFiles(incoming, before),
  };
}

/** Reads a file. It is opened when the first chunk is requested, so that no handle leaks if nobody reads. */
async function* bytesOf(path: string): AsyncIterable<Uint8Array> {
  try {
    yield* createReadStream(path) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw storageFailure(error);
  }
}

async function synced(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
