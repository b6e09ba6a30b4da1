import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { env } from "../env";
import { DomainError } from "../errors";
import { storageFailure } from "./storage-failure";

/** A file that was received completely, in a temporary file until an operation uses it. */
export class Upload {
  constructor(
    readonly path: string,
    readonly size: number,
    /** Lower-case hexadecimal. */
    readonly sha256: string,
  ) {}

  /** The part that counts for the fingerprint of an idempotent request (contract section 2). */
  toJSON() {
    return { sha256: this.sha256 };
  }

  /** Removes the file, unless the store took it. */
  discard(): Promise<void> {
    return rm(this.path, { force: true });
  }
}

export const uploadsFolder = () => join(env().DATA_DIR, "uploads");

/**
 * Writes incoming bytes to a temporary file and hashes them on the way. Only one chunk is in memory at a time; the next
 * one is requested when it is written.
 * @throws DomainError payload_too_large as soon as there are more than `limit` bytes; malformed_request if the source
 *   breaks off; unavailable if the disk fails
 */
export async function receiveUpload(source: AsyncIterable<Uint8Array>, limit: number): Promise<Upload> {
  const path = join(uploadsFolder(), randomUUID());
  const hash = createHash("sha256");
  let size = 0;
  try {
    await onDisk(mkdir(uploadsFolder(), { recursive: true, mode: 0o700 }));
    const file = await onDisk(open(path, "wx", 0o600));
    try {
      for await (const chunk of unbroken(source)) {
        size += chunk.byteLength;
        if (size > limit) throw new DomainError("payload_too_large", `The file may have at most ${limit} bytes.`);
        hash.update(chunk);
        await onDisk(file.writeFile(chunk));
      }
      await onDisk(file.sync());
    } finally {
      await file.close();
    }
  } catch (error) {
    await rm(path, { force: true }).catch(() => undefined);
    throw error;
  }
  return new Upload(path, size, hash.digest("hex"));
}

async function onDisk<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw storageFailure(error);
  });
}

async function* unbroken(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield* source;
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw new DomainError("malformed_request", "The body broke off before its end.");
  }
}
