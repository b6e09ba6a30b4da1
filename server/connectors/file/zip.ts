import { promisify } from "node:util";
import { crc32 } from "node:zlib";
import { open as openArchive, type Entry, type Options, type ZipFile } from "yauzl";
import { FileError } from "./file-error";

const entryLimit = 10_000;

/** The most bytes of names, comments and extra fields in the directory of an archive. It is held in memory. */
const directoryLimit = 32 * 1024 * 1024;

/** The highest ratio of unpacked to packed size. Ordinary text reaches about 20; a file above this limit is a zip bomb. */
const ratioLimit = 300;
/** The ratio is not checked below this size, because a short list of equal rows compresses very well too. */
const ratioFrom = 100 * 1024 * 1024;

const openFile = promisify<string, Options, ZipFile>(openArchive);

/** A zip archive in a local file. Entries are only streamed, never written to disk under their names. */
export class Archive {
  private constructor(
    private readonly file: ZipFile,
    /** The files in the order of the archive's directory. Several may have one name. */
    readonly list: readonly Entry[],
  ) {
    this.entries = new Map(list.map((entry) => [entry.fileName, entry]));
  }

  /** The files by name, in the order of the archive's directory. */
  readonly entries: ReadonlyMap<string, Entry>;

  /**
   * @param most how many files the archive may hold, and what to do if it holds more
   * @throws FileError
   */
  static async open(path: string, most = { files: entryLimit, advice: "Put one list into it." }): Promise<Archive> {
    const file = await openFile(path, { lazyEntries: true, autoClose: false }).catch((error: unknown) => {
      throw broken(error);
    });
    try {
      if (file.entryCount > most.files)
        throw new FileError("unsupported_file", `The archive holds ${file.entryCount} files. ${most.advice}`);
      return new Archive(file, await entriesOf(file));
    } catch (error) {
      file.close();
      throw error;
    }
  }

  has = (name: string) => this.entries.has(name);

  /**
   * Reads a file of the archive, and checks its size and checksum.
   * @param file its name, or its entry
   * @param limit the most bytes after decompression
   * @throws FileError
   */
  async *read(file: string | Entry, limit: number): AsyncGenerator<Buffer> {
    const entry = typeof file === "string" ? this.entries.get(file)! : file;
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
        // Count the bytes: the size in the directory is not trusted.
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
        "The archive is damaged: the checksum of a file in it is wrong. Send it again.",
      );
  }

  close(): void {
    this.file.close();
  }
}

const tooLarge = (limit: number) =>
  new FileError(
    "too_large",
    `The archive unpacks to more than ${Math.floor(limit / 1024 / 1024)} MiB, or far more than a list of people would. Send the list itself.`,
  );

function broken(error: unknown): unknown {
  // Tell disk errors, which have a system error code, from errors of yauzl and zlib about the archive.
  const { code, message } = error as NodeJS.ErrnoException;
  if (code !== undefined && !code.startsWith("Z_")) return error;
  if (/^(invalid (relative|characters)|absolute path)/.test(message))
    return new FileError("broken_archive", "The archive contains a path that leads out of it, so it was refused.");
  return new FileError("broken_archive", "The archive is damaged or incomplete. Send it again.");
}

function entriesOf(file: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    file.on("entry", (entry: Entry) => {
      size += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
      if (entries.length > file.entryCount || size > directoryLimit)
        return reject(
          broken(new Error("a directory that is larger than it says, or than a list of files needs")) as Error,
        );
      if (!entry.fileName.endsWith("/")) entries.push(entry);
      file.readEntry();
    });
    file.on("end", () => resolve(entries));
    file.on("error", (error) => reject(broken(error) as Error));
    file.readEntry();
  });
}
