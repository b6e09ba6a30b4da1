import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { Upload, uploadsFolder } from "@/server/core/blobs/upload";
import { DomainError } from "@/server/core/errors";
import { fileLimit } from "../../file-limit";

/** A file that is being received, stored in a temporary file. Pieces can come for any position and in any order. */
export class IncomingFile {
  readonly path = join(uploadsFolder(), randomUUID());
  size = 0;
  modifiedAt = new Date();
  /** The number of received bytes; less than `size` if pieces are missing. */
  #written = 0;
  /** How many handles the client has open. */
  handles = 0;
  #file: FileHandle | undefined;
  readonly #writing = new Set<Promise<unknown>>();
  #failure: unknown;

  async open(): Promise<void> {
    await mkdir(uploadsFolder(), { recursive: true, mode: 0o700 });
    this.#file = await open(this.path, "wx+", 0o600);
  }

  /** @throws DomainError payload_too_large */
  async write(data: Buffer, at: number): Promise<void> {
    if (!Number.isSafeInteger(at) || at + data.length > fileLimit)
      throw new DomainError("payload_too_large", `The file may have at most ${fileLimit / 1024 / 1024} MiB.`);
    this.size = Math.max(this.size, at + data.length);
    const work = this.#file!.write(data, 0, data.length, at);
    this.#writing.add(work);
    try {
      const { bytesWritten } = await work;
      this.#written += bytesWritten;
    } catch (error) {
      this.#failure ??= error;
      throw error;
    } finally {
      this.#writing.delete(work);
    }
    this.modifiedAt = new Date();
  }

  async truncate(): Promise<void> {
    await this.finishWriting();
    await this.#file!.truncate(0);
    this.size = this.#written = 0;
  }

  /** Waits until all received pieces are written. @throws the error of a failed write */
  async finishWriting(): Promise<void> {
    await Promise.allSettled(this.#writing);
    if (this.#failure) throw this.#failure;
  }

  /** Turns the complete file into an upload. @throws DomainError malformed_request if pieces are missing */
  async finish(): Promise<Upload> {
    await this.finishWriting();
    if (this.#written < this.size)
      throw new DomainError("malformed_request", "Pieces of the file are missing. Send it again.");
    await this.#file!.sync();
    const hash = createHash("sha256");
    for await (const chunk of createReadStream(this.path)) hash.update(chunk as Buffer);
    return new Upload(this.path, this.size, hash.digest("hex"));
  }

  /** Whether the file is closed and all its bytes were written. */
  get isWhole(): boolean {
    return this.handles === 0 && this.#written >= this.size && this.#failure === undefined;
  }

  /** Updates the file's time, so that it is not deleted as a leftover of a killed process. */
  async touch(): Promise<void> {
    await this.#file?.utimes(this.modifiedAt, new Date());
  }

  async discard(): Promise<void> {
    await Promise.allSettled(this.#writing);
    await this.#file?.close().catch(() => undefined);
    await new Upload(this.path, 0, "").discard();
  }
}
