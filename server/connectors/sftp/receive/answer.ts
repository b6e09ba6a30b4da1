import type { Attributes, SFTPWrapper } from "ssh2";
import { log } from "@/server/core/log";
import { DomainError } from "@/server/core/errors";
import { utils } from "../ssh2";
import { Refusal, stepsOf, type Entry, type Inbox } from "./inbox";
import type { IncomingFile } from "./incoming-file";

const { OPEN_MODE: mode, STATUS_CODE: status } = utils.sftp;

const handlesAtMost = 32;
/** The most requests of one session. A file of 512 MiB needs about 16,000, in pieces of 32 KiB. */
const requestsAtMost = 1_000_000;
/** The estimated memory of a waiting request without its paths, in bytes. */
const requestBytes = 512;

type Handle =
  | { kind: "incoming"; file: IncomingFile }
  | { kind: "report"; text: Buffer; entry: Entry }
  | { kind: "folder"; entries: Entry[] };

/** Callbacks from a session to its connection. */
export interface Flow {
  /** The bytes of unanswered requests have grown, or shrunk if negative. */
  waiting(bytes: number): void;
  /** The client sent a request. */
  active(): void;
  /** The connection must be closed. */
  end(): void;
}

/**
 * Answers the requests of one SFTP channel in their order, one after another. Only pieces of files are written in parallel.
 */
export function answerSftp(sftp: SFTPWrapper, inbox: Inbox, flow: Flow): void {
  const handles = new Map<string, Handle>();
  let lastHandle = 0;
  let requests = 0;
  let line: Promise<void> = Promise.resolve();

  const hold = (id: number, handle: Handle) => {
    const key = Buffer.from(String(++lastHandle));
    handles.set(key.toString("latin1"), handle);
    sftp.handle(id, key);
  };
  const held = (key: Buffer): Handle => {
    const handle = handles.get(key.toString("latin1"));
    if (!handle) throw new Refusal("FAILURE", "This handle is not open.");
    return handle;
  };
  const isAdmitted = () => {
    flow.active();
    if (++requests <= requestsAtMost) return true;
    flow.end();
    return false;
  };
  const refuse = (id: number, error: unknown) => {
    if (error instanceof Refusal) return sftp.status(id, status[error.code], error.message);
    if (error instanceof DomainError) return sftp.status(id, status.FAILURE, error.message);
    log().error({ err: error }, "a request by SFTP failed");
    sftp.status(id, status.FAILURE, "The server could not do this. Try again.");
  };
  /** Queues a request. @param paths its paths, whose memory is counted while it waits */
  const inTurn = (id: number, work: () => Promise<void> | void, ...paths: string[]) => {
    if (!isAdmitted()) return;
    const bytes = paths.reduce((sum, path) => sum + 2 * path.length, requestBytes);
    flow.waiting(bytes);
    line = line
      .then(work)
      .catch((error: unknown) => refuse(id, error))
      .finally(() => flow.waiting(-bytes));
  };
  const ok = (id: number) => void sftp.status(id, status.OK);
  const denied = (id: number, ...paths: unknown[]) =>
    inTurn(
      id,
      () => {
        throw new Refusal("PERMISSION_DENIED", "Folders and links can't be created or removed here.");
      },
      ...paths.filter((path) => typeof path === "string"),
    );

  sftp
    .on("OPEN", (id, path, flags) =>
      inTurn(
        id,
        async () => {
          if (handles.size >= handlesAtMost) throw new Refusal("FAILURE", "Too many files are open.");
          if ((flags & mode.WRITE) !== 0) {
            const how = { truncate: (flags & mode.TRUNC) !== 0, exclusive: (flags & mode.EXCL) !== 0 };
            return hold(id, { kind: "incoming", file: await inbox.openForWriting(path, how) });
          }
          const { text } = await inbox.report(path);
          hold(id, { kind: "report", text, entry: await inbox.look(path) });
        },
        path,
      ),
    )
    .on("WRITE", (id, key, at, data) => {
      if (!isAdmitted()) return;
      flow.waiting(data.length);
      const write = async () => {
        const handle = held(key);
        if (handle.kind !== "incoming") throw new Refusal("PERMISSION_DENIED", "This file can only be read.");
        await inbox.write(handle.file, data, at);
      };
      write()
        .then(
          () => ok(id),
          (error: unknown) => refuse(id, error),
        )
        .finally(() => flow.waiting(-data.length));
    })
    .on("READ", (id, key, at, length) =>
      inTurn(id, async () => {
        const handle = held(key);
        if (handle.kind !== "report") throw new Refusal("PERMISSION_DENIED", "This file cannot be read back.");
        await inbox.requireStill();
        const piece = handle.text.subarray(at, at + Math.min(length, 32_768));
        if (piece.length > 0) sftp.data(id, piece);
        else sftp.status(id, status.EOF);
      }),
    )
    .on("CLOSE", (id, key) =>
      inTurn(id, async () => {
        const handle = held(key);
        handles.delete(key.toString("latin1"));
        if (handle.kind === "incoming") await inbox.closed(handle.file);
        ok(id);
      }),
    )
    .on("OPENDIR", (id, path) =>
      inTurn(
        id,
        async () => {
          if (handles.size >= handlesAtMost) throw new Refusal("FAILURE", "Too many files are open.");
          hold(id, { kind: "folder", entries: await inbox.list(path) });
        },
        path,
      ),
    )
    .on("READDIR", (id, key) =>
      inTurn(id, () => {
        const handle = held(key);
        if (handle.kind !== "folder") throw new Refusal("FAILURE", "This is not a folder.");
        const entries = handle.entries.splice(0);
        if (entries.length === 0) return void sftp.status(id, status.EOF);
        sftp.name(
          id,
          entries.map((entry) => ({ filename: entry.name, longname: longName(entry), attrs: attributesOf(entry) })),
        );
      }),
    )
    .on("FSTAT", (id, key) =>
      inTurn(id, () => {
        const handle = held(key);
        if (handle.kind === "folder") throw new Refusal("FAILURE", "This is not a file.");
        const { size, modifiedAt: at } = handle.kind === "incoming" ? handle.file : { size: 0, modifiedAt: new Date() };
        sftp.attrs(id, attributesOf(handle.kind === "report" ? handle.entry : { name: "", isFolder: false, size, at }));
      }),
    )
    .on("STAT", (id, path) => inTurn(id, async () => void sftp.attrs(id, attributesOf(await inbox.look(path))), path))
    .on("LSTAT", (id, path) => inTurn(id, async () => void sftp.attrs(id, attributesOf(await inbox.look(path))), path))
    .on("REALPATH", (id, path) =>
      inTurn(
        id,
        () => {
          const filename = `/${stepsOf(path).join("/")}`;
          sftp.name(id, [
            {
              filename,
              longname: filename,
              attrs: attributesOf({ name: "", isFolder: true, size: 0, at: new Date(0) }),
            },
          ]);
        },
        path,
      ),
    )
    // Ignore the times and permissions that clients set after an upload.
    .on("SETSTAT", (id) => inTurn(id, () => ok(id)))
    .on("FSETSTAT", (id) => inTurn(id, () => ok(id)))
    .on("RENAME", (id, from, to) => inTurn(id, () => inbox.rename(from, to).then(() => ok(id)), from, to))
    .on("REMOVE", (id, path) => inTurn(id, () => inbox.remove(path).then(() => ok(id)), path))
    .on("MKDIR", denied)
    .on("RMDIR", denied)
    .on("SYMLINK", denied)
    .on("READLINK", denied);
}

const attributesOf = ({ isFolder, size, at }: Entry): Attributes => ({
  mode: isFolder ? 0o040755 : 0o100644,
  uid: 0,
  gid: 0,
  size,
  atime: Math.floor(at.getTime() / 1000),
  mtime: Math.floor(at.getTime() / 1000),
});

const longName = ({ name, isFolder, size, at }: Entry): string =>
  `${isFolder ? "drwxr-xr-x" : "-rw-r--r--"} 1 sender sender ${size} ${at.toISOString().slice(0, 10)} ${name}`;
