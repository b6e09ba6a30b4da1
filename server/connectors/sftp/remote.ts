import type { Attributes, FileEntryWithStats, SFTPWrapper, Stats } from "ssh2";
import { PullError } from "../http/pull-error";

/** A file in a server's folder listing. */
export interface RemoteFile {
  name: string;
  size: number;
  modifiedAt: Date;
}

/** The most entries of a folder. */
const listedAtMost = 10_000;
const pieceBytes = 32 * 1024;
/** How many pieces are requested in parallel (1 MiB), so that a distant server does not slow down each piece. */
const ahead = 32;

type Done<T> = (error: Error | null | undefined, value: T) => void;

/** A client for the files of an SFTP server. Pending requests are rejected when the connection ends. */
export class Remote {
  readonly #waiting = new Set<(reason: unknown) => void>();
  #ended: { reason: unknown } | undefined;

  constructor(private readonly sftp: SFTPWrapper) {}

  /** Rejects all pending and future requests. */
  end(reason: unknown): void {
    this.#ended = { reason };
    for (const reject of this.#waiting) reject(reason);
    this.#waiting.clear();
  }

  #ask<T>(question: (done: Done<T>) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(this.#ended.reason);
      this.#waiting.add(reject);
      question((error, value) => {
        this.#waiting.delete(reject);
        if (error) reject(error);
        else resolve(value);
      });
    });
  }

  /** Lists the regular files of a folder. @throws PullError */
  async list(folder: string): Promise<RemoteFile[]> {
    const handle = await this.#ask<Buffer>((done) => this.sftp.opendir(folder, done)).catch((error: unknown) => {
      throw folderProblem(error, folder);
    });
    const files: RemoteFile[] = [];
    let seen = 0;
    try {
      for (;;) {
        const entries = await this.#ask<FileEntryWithStats[]>((done) => this.sftp.readdir(handle, done)).catch(
          (error: unknown) => {
            if (codeOf(error) === 1) return [];
            throw error;
          },
        );
        if (!Array.isArray(entries) || entries.length === 0) return files;
        seen += entries.length;
        if (seen > listedAtMost)
          throw new PullError(
            "too_many_files",
            `The folder has more than ${listedAtMost} entries. Remove files that were processed.`,
          );
        for (const { filename, attrs, longname } of entries)
          if (isFile(attrs, longname)) files.push(fileOf(filename, attrs));
      }
    } finally {
      await this.#close(handle);
    }
  }

  /** Reads the attributes of a regular file, without following links; null if there is none. */
  async look(path: string): Promise<Omit<RemoteFile, "name"> | null> {
    const found = await this.#stat(path);
    return found?.isFile() ? fileOf("", found) : null;
  }

  /** Whether this is a folder, or a link to one. */
  async isFolder(path: string): Promise<boolean> {
    const found = await this.#ask<Stats>((done) => this.sftp.stat(path, done)).catch(() => null);
    return found?.isDirectory() ?? false;
  }

  async #stat(path: string): Promise<Stats | null> {
    return this.#ask<Stats>((done) => this.sftp.lstat(path, done)).catch((error: unknown) => {
      if (codeOf(error) === 2) return null;
      throw error;
    });
  }

  /**
   * The first `size` bytes of a file, in order.
   *
   * @throws PullError if it has fewer
   */
  async *read(path: string, size: number): AsyncGenerator<Buffer> {
    const handle = await this.#ask<Buffer>((done) => this.sftp.open(path, "r", done)).catch((error: unknown) => {
      throw codeOf(error) === 3
        ? new PullError("forbidden", "The server does not let this user read the file. Nobody was changed.")
        : error;
    });
    const pieces: Promise<Buffer>[] = [];
    let asked = 0;
    try {
      while (asked < size || pieces.length > 0) {
        while (asked < size && pieces.length < ahead) {
          const piece = this.#piece(handle, asked, Math.min(pieceBytes, size - asked));
          // Awaited later, in order. If an earlier piece fails first, this rejection must not be unhandled.
          piece.catch(() => undefined);
          pieces.push(piece);
          asked += pieceBytes;
        }
        yield await pieces.shift()!;
      }
    } finally {
      await this.#close(handle);
    }
  }

  async #piece(handle: Buffer, from: number, length: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafe(length);
    for (let filled = 0; filled < length; ) {
      const got = await this.#ask<number>((done) =>
        this.sftp.read(handle, buffer, filled, length - filled, from + filled, (error, read) => done(error, read)),
      );
      if (!got) throw changed();
      filled += got;
    }
    return buffer;
  }

  /** Writes a short text; overwrites an existing file. */
  async write(path: string, text: string): Promise<void> {
    const handle = await this.#ask<Buffer>((done) => this.sftp.open(path, "w", done));
    const bytes = Buffer.from(text);
    try {
      for (let at = 0; at < bytes.length; at += pieceBytes) {
        const length = Math.min(pieceBytes, bytes.length - at);
        await this.#ask<void>((done) => this.sftp.write(handle, bytes, at, length, at, (error) => done(error)));
      }
    } finally {
      await this.#close(handle);
    }
  }

  /** Creates a folder unless it exists. @throws Error if something else has its name, even a link */
  async folder(path: string): Promise<void> {
    const found = await this.#stat(path);
    if (found?.isDirectory()) return;
    if (found) throw new Error("not a folder");
    await this.#ask<void>((done) => this.sftp.mkdir(path, (error) => done(error)));
  }

  rename(from: string, to: string): Promise<void> {
    return this.#ask<void>((done) => this.sftp.rename(from, to, (error) => done(error)));
  }

  async #close(handle: Buffer): Promise<void> {
    await this.#ask<void>((done) => this.sftp.close(handle, (error) => done(error))).catch(() => undefined);
  }
}

/** The error for a file that changed while it was being read. */
export const changed = () =>
  new PullError(
    "file_changed",
    "The file changed while it was being read. Nobody was changed. The next run fetches the file once it no longer changes.",
  );

export const codeOf = (error: unknown): number | undefined =>
  error instanceof Error && "code" in error ? Number(error.code) : undefined;

function folderProblem(error: unknown, folder: string): unknown {
  const code = codeOf(error);
  if (code === 2)
    return new PullError(
      "not_found",
      `The server has no folder ${JSON.stringify(folder)} for this user. Check the path.`,
    );
  if (code === 3 || code === 4)
    return new PullError("forbidden", `The server does not let this user list the folder ${JSON.stringify(folder)}.`);
  return error;
}

/** Whether an entry is a regular file. Some servers give its kind only in the long name. */
function isFile(attrs: Attributes & Partial<Stats>, longname: string): boolean {
  const kind = attrs.mode ? attrs.mode & 0o170000 : 0;
  return kind ? kind === 0o100000 : longname.startsWith("-");
}

const fileOf = (name: string, { size, mtime }: Attributes): RemoteFile => ({
  name,
  size: size ?? 0,
  modifiedAt: new Date((mtime ?? 0) * 1000),
});
