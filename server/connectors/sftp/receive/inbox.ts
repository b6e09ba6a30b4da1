import { DomainError } from "@/server/core/errors";
import { log } from "@/server/core/log";
import { isFileName, isUnfinished } from "../remote-path";
import { findAccount, isStill, type Account, type Credential } from "./account";
import { handOver } from "./hand-over";
import { IncomingFile } from "./incoming-file";
import { park, parkedOf, unpark } from "./parked";
import { readReports, type Shown } from "./reports";

export const folders = ["archive", "error"];

/** The most unfinished files of one sender. */
const unfinishedAtMost = 20;
const bytesAtMost = 1024 * 1024 * 1024;
/** How long reports are cached, in milliseconds. */
const freshMs = 2_000;

/** A refused request, with an SFTP status and a message for the client. */
export class Refusal extends Error {
  constructor(
    readonly code: "NO_SUCH_FILE" | "PERMISSION_DENIED" | "FAILURE",
    message: string,
  ) {
    super(message);
  }
}

const notHere = () => new Refusal("NO_SUCH_FILE", "There is no such file.");
const forbidden = () =>
  new Refusal(
    "PERMISSION_DENIED",
    "Files can only be put into the top folder, and only be read from archive and error.",
  );

/**
 * Splits a path into its steps below the root. `..` at the root stays there.
 * @throws Refusal
 */
export function stepsOf(path: string): string[] {
  const steps: string[] = [];
  for (const step of path.split("/")) {
    if (step === "" || step === ".") continue;
    if (step === "..") steps.pop();
    else steps.push(step);
  }
  if (path.length > 1000 || steps.length > 2 || !steps.every(isFileName))
    throw new Refusal("NO_SUCH_FILE", "This cannot be the name of a file here.");
  return steps;
}

export interface Entry {
  name: string;
  isFolder: boolean;
  size: number;
  at: Date;
}

/**
 * The virtual folder of one session of a sender: files that are being received, reports about received files, and complete
 * files of earlier sessions that wait to be renamed (parked.ts). None of its paths is a path on our disk.
 */
export class Inbox {
  readonly #incoming = new Map<string, IncomingFile>();
  /** Files that were handed over in this session, because some clients list them to check the upload. */
  readonly #done = new Map<string, Entry>();
  #shown: { at: number; value: ReturnType<typeof readReports> } | undefined;

  constructor(
    private readonly account: Account,
    private readonly credential: Credential,
  ) {}

  /** How many files are being handed over. */
  #handing = 0;
  #isEnded = false;

  /** Whether a file is being received or handed over. */
  get isBusy(): boolean {
    return this.#handing > 0 || [...this.#incoming.values()].some(({ handles }) => handles > 0);
  }

  /** @throws Refusal */
  async openForWriting(
    path: string,
    { truncate, exclusive }: { truncate: boolean; exclusive: boolean },
  ): Promise<IncomingFile> {
    const name = this.#nameOf(path);
    await this.requireStill();
    const known = this.#find(name);
    if (known && exclusive) throw new Refusal("FAILURE", "A file with this name exists already.");
    if (known) {
      if (truncate) await known.truncate();
      known.handles++;
      return known;
    }
    if (this.#unfinished().length >= unfinishedAtMost)
      throw new Refusal(
        "FAILURE",
        `At most ${unfinishedAtMost} files may be unfinished at a time. Rename or remove some.`,
      );
    const file = new IncomingFile();
    await file.open();
    if (this.#isEnded) {
      await file.discard();
      throw notHere();
    }
    file.handles++;
    this.#incoming.set(name, file);
    return file;
  }

  async write(file: IncomingFile, data: Buffer, at: number): Promise<void> {
    const others = this.#unfinished().reduce((sum, other) => sum + (other === file ? 0 : other.size), 0);
    if (others + Math.max(file.size, at + data.length) > bytesAtMost)
      throw new Refusal("FAILURE", "The unfinished files exceed the size limit. Rename or remove some.");
    await file.write(data, at);
  }

  /** Handles a closed file. When its last handle is closed and its name is not one of an unfinished file, it is handed over. */
  async closed(file: IncomingFile): Promise<void> {
    file.handles--;
    const name = this.#nameOfFile(file);
    if (name === undefined || file.handles > 0) return;
    await file.finishWriting();
    if (!isUnfinished(name)) await this.#handOver(name, file);
  }

  /** @throws Refusal */
  async rename(from: string, to: string): Promise<void> {
    const [before, after] = [this.#nameOf(from), this.#nameOf(to)];
    await this.requireStill();
    const file = this.#find(before);
    if (!file)
      throw this.#done.has(before) ? new Refusal("PERMISSION_DENIED", "The file was taken already.") : notHere();
    if (file.handles > 0) throw new Refusal("FAILURE", "The file is still open.");
    if (before === after) return;
    await this.#find(after)?.discard();
    this.#incoming.delete(before);
    this.#incoming.set(after, file);
    if (!isUnfinished(after)) await this.#handOver(after, file);
  }

  /** Removes an unfinished file. @throws Refusal for a file that was handed over already */
  async remove(path: string): Promise<void> {
    const name = this.#nameOf(path);
    await this.requireStill();
    const file = this.#find(name);
    if (!file) throw this.#done.has(name) ? new Refusal("PERMISSION_DENIED", "The file was taken already.") : notHere();
    this.#incoming.delete(name);
    await file.discard();
  }

  async list(path: string): Promise<Entry[]> {
    const [folder, more] = stepsOf(path);
    if (more !== undefined || (folder !== undefined && !folders.includes(folder))) throw notHere();
    await this.requireStill();
    const { reports, waiting } = await this.#reports();
    if (folder !== undefined) return reports.flatMap((shown) => inside(folder, shown));
    const entries = new Map<string, Entry>(folders.map((name) => [name, folderEntry(name)]));
    for (const { name, size, at } of waiting) entries.set(name, { name, isFolder: false, size, at });
    for (const { name, file } of parkedOf(this.account.connectorId))
      entries.set(name, { name, isFolder: false, size: file.size, at: file.modifiedAt });
    for (const [name, { size, modifiedAt }] of this.#incoming)
      entries.set(name, { name, isFolder: false, size, at: modifiedAt });
    return [...entries.values()];
  }

  async look(path: string): Promise<Entry> {
    const [first, second] = stepsOf(path);
    await this.requireStill();
    if (first === undefined) return folderEntry("");
    if (second === undefined && folders.includes(first)) return folderEntry(first);
    if (second === undefined) {
      const parked = parkedOf(this.account.connectorId).find(({ name }) => name === first);
      const file = this.#incoming.get(first) ?? parked?.file;
      if (file) return { name: first, isFolder: false, size: file.size, at: file.modifiedAt };
      const done = this.#done.get(first);
      if (done) return done;
      const waits = (await this.#reports()).waiting.find(({ name }) => name === first);
      if (waits) return { name: first, isFolder: false, size: waits.size, at: waits.at };
      throw notHere();
    }
    return entryOf(second, await this.report(path));
  }

  /** @throws Refusal */
  async report(path: string): Promise<Shown> {
    const wanted = stepsOf(path).join("/");
    await this.requireStill();
    const found = (await this.#reports()).reports.find((shown) => shown.path === wanted);
    if (!found) throw folders.includes(wanted.split("/")[0]!) ? notHere() : forbidden();
    return found;
  }

  /** Ends the session: drops incomplete files, and parks complete ones for a later session to rename. */
  async end(): Promise<void> {
    this.#isEnded = true;
    const files = [...this.#incoming];
    this.#incoming.clear();
    for (const [name, file] of files)
      if (file.isWhole && isUnfinished(name)) park(this.account.connectorId, name, file);
      else await file.discard();
  }

  /** @throws Refusal if the password or key of the session is no longer valid */
  async requireStill(): Promise<void> {
    if (!isStill(await findAccount(this.account.user), this.credential))
      throw new Refusal("PERMISSION_DENIED", "This user may no longer send or read files.");
  }

  /** Finds a file of this session, or takes over a parked file. */
  #find(name: string): IncomingFile | undefined {
    const own = this.#incoming.get(name);
    if (own) return own;
    const file = unpark(this.account.connectorId, name);
    if (file) this.#incoming.set(name, file);
    return file;
  }

  #unfinished(): IncomingFile[] {
    return [...this.#incoming.values(), ...parkedOf(this.account.connectorId).map(({ file }) => file)];
  }

  async #handOver(name: string, file: IncomingFile): Promise<void> {
    this.#incoming.delete(name);
    this.#handing++;
    try {
      await handOver(this.account, this.credential, { name, modifiedAt: file.modifiedAt, file: await file.finish() });
      this.#done.set(name, { name, isFolder: false, size: file.size, at: file.modifiedAt });
      if (this.#done.size > 1000) this.#done.delete(this.#done.keys().next().value!);
      this.#shown = undefined;
    } catch (error) {
      if (error instanceof DomainError) throw new Refusal("FAILURE", error.message);
      log().error({ err: error }, "a file that was received by SFTP could not be stored");
      throw new Refusal("FAILURE", "The file could not be stored. Send it again.");
    } finally {
      // Busy until then, so that a stop does not close the connection before the answer is sent.
      await file.discard().finally(() => this.#handing--);
    }
  }

  #reports(): ReturnType<typeof readReports> {
    if (!this.#shown || this.#shown.at < Date.now() - freshMs)
      this.#shown = { at: Date.now(), value: readReports(this.account) };
    return this.#shown.value;
  }

  #nameOf(path: string): string {
    const steps = stepsOf(path);
    if (steps.length !== 1 || folders.includes(steps[0]!)) throw forbidden();
    return steps[0]!;
  }

  #nameOfFile(file: IncomingFile): string | undefined {
    for (const [name, other] of this.#incoming) if (other === file) return name;
    return undefined;
  }
}

const folderEntry = (name: string): Entry => ({ name, isFolder: true, size: 0, at: new Date(0) });
const entryOf = (name: string, { text, at }: Shown): Entry => ({ name, isFolder: false, size: text.length, at });
const inside = (folder: string, shown: Shown): Entry[] =>
  shown.path.startsWith(`${folder}/`) ? [entryOf(shown.path.slice(folder.length + 1), shown)] : [];
