import { promisify } from "node:util";
import { crc32 } from "node:zlib";
import { open as openArchive, type Entry, type Options, type ZipFile } from "yauzl";
import { FileError } from "./file-error";

const entryLimit = 10_000;

/** Honest text packs to a twentieth or less; what unpacks to more than this many times its size is a bomb. */
const ratioLimit = 300;
/** Up to so many bytes, the ratio says nothing: a short list of equal rows packs well, too. */
const ratioFrom = 100 * 1024 * 1024;

const openFile = promisify<string, Options, ZipFile>(openArchive);

/** An archive in a local file. Its directory says what it holds; nothing is written under the names in it. */
export class Archive {
  private constructor(
    private readonly file: ZipFile,
    /** Files by name, in their order. */
    readonly entries: Map<string, Entry>,
  ) {}

  /** @throws FileError */
  static async open(path: string): Promise<Archive> {
    const file = await openFile(path, { lazyEntries: true, autoClose: false }).catch((error: unknown) => {
      throw broken(error);
    });
    try {
      if (file.entryCount > entryLimit)
        throw new FileError("unsupported_file", `The archive holds ${file.entryCount} files. Put one list into it.`);
      return new Archive(file, await entriesOf(file));
    } catch (error) {
      file.close();
      throw error;
    }
  }

  has = (name: string) => this.entries.has(name);

  /**
   * The bytes of a file of the archive, checked against its size and sum.
   * @param limit bytes that are unpacked at most
   * @throws FileError
   */
  async *read(name: string, limit: number): AsyncGenerator<Buffer> {
    const entry = this.entries.get(name)!;
    if (entry.isEncrypted())
      throw new FileError("unsupported_file", "The archive has a password. Send it without one.");
    const isBomb =
      entry.uncompressedSize > ratioFrom && entry.uncompressedSize > ratioLimit * Math.max(1, entry.compressedSize);
    if (entry.uncompressedSize > limit || isBomb) throw tooLarge(limit);
    let size = 0;
    let sum = 0;
    try {
      const stream = await promisify<Entry, AsyncIterable<Buffer>>((which, done) =>
        this.file.openReadStream(which, done as never),
      )(entry);
      for await (const chunk of stream) {
        size += chunk.length;
        // The size in the directory is the sender's word.
        if (size > limit) throw tooLarge(limit);
        sum = crc32(chunk, sum);
        yield chunk;
      }
    } catch (error) {
      throw error instanceof FileError ? error : broken(error);
    }
    if (sum !== entry.crc32)
      throw new FileError(
        "broken_archive",
        "The archive is damaged: a file in it is not what was packed. Send it again.",
      );
  }

  close(): void {
    this.file.close();
  }
}

const tooLarge = (limit: number) =>
  new FileError(
    "too_large",
    `The archive unpacks to more than ${Math.floor(limit / 1024 / 1024)} MiB, or to a size that no list has. Send the list itself.`,
  );

function broken(error: unknown): unknown {
  // A failure of the disk has a code; what yauzl and zlib say of an archive has none, or their own.
  const { code, message } = error as NodeJS.ErrnoException;
  if (code !== undefined && !code.startsWith("Z_")) return error;
  if (/^(invalid (relative|characters)|absolute path)/.test(message))
    return new FileError("broken_archive", "The archive names a file outside of itself, so it is not read.");
  return new FileError("broken_archive", "The archive is damaged or ends before its end. Send it again.");
}

function entriesOf(file: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  return new Promise((resolve, reject) => {
    file.on("entry", (entry: Entry) => {
      if (entries.size > entryLimit) return reject(broken(new Error("more files than counted")));
      if (!entry.fileName.endsWith("/")) entries.set(entry.fileName, entry);
      file.readEntry();
    });
    file.on("end", () => resolve(entries));
    file.on("error", (error) => reject(broken(error) as Error));
    file.readEntry();
  });
}
