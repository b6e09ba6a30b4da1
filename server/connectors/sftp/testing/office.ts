import { timingSafeEqual } from "node:crypto";
import type { Connection, SFTPWrapper } from "ssh2";
import { listen } from "@/server/outbound/testing/listener";
import { createServer } from "node:net";
import { makeKeyPair } from "../make-key-pair";
import { Server, utils } from "../ssh2";

const { flagsToString, STATUS_CODE: status } = utils.sftp;

interface Entry {
  kind: "file" | "folder" | "link";
  data: Buffer;
  /** The modification time in seconds. */
  time: number;
}

const kinds = { file: 0o100644, folder: 0o040755, link: 0o120777 };

/** A customer's SFTP server on loopback with files in memory. Tests can change its behaviour. */
export class Office {
  readonly entries = new Map<string, Entry>([["/out", { kind: "folder", data: Buffer.alloc(0), time: 0 }]]);
  /** The requests of clients, such as "open /out/a.csv". */
  readonly log: string[] = [];
  /** The user names and passwords that clients sent. */
  readonly signIns: string[] = [];
  password = "correct horse";
  /** Called before each answer. If it throws, the server answers with a failure. */
  before: (what: string, path: string) => void | Promise<void> = () => undefined;
  #hostKey = makeKeyPair();
  #close: () => Promise<void> = async () => undefined;
  port = 0;

  static async open(): Promise<Office> {
    const office = new Office();
    await office.#listen();
    return office;
  }

  async #listen(): Promise<void> {
    const tcp = createServer();
    const listener = await listen(tcp);
    tcp.on("connection", (socket) => {
      const server = new Server({ hostKeys: [this.#hostKey.private] }, (connection) => this.#serve(connection));
      server.injectSocket(socket);
    });
    this.port = listener.port;
    this.#close = listener.close;
  }

  close = () => this.#close();

  /** Restarts with another host key on another port. */
  async changeKey(): Promise<void> {
    await this.close();
    this.#hostKey = makeKeyPair();
    await this.#listen();
  }

  put(path: string, content: string | Uint8Array, time = 1_790_000_000): void {
    this.entries.set(path, { kind: "file", data: Buffer.from(content), time });
  }

  link(path: string): void {
    this.entries.set(path, { kind: "link", data: Buffer.from("/etc/passwd"), time: 1_790_000_000 });
  }

  /** The sorted paths of all files. */
  files = () => [...this.entries].flatMap(([path, { kind }]) => (kind === "folder" ? [] : [path])).sort();

  text = (path: string) => this.entries.get(path)!.data.toString();

  #serve(connection: Connection): void {
    connection.on("error", () => undefined);
    connection.on("authentication", (context) => {
      if (context.method !== "password") return context.reject(["password"]);
      this.signIns.push(`${context.username}:${context.password}`);
      const [given, wanted] = [Buffer.from(context.password), Buffer.from(this.password)];
      if (given.length === wanted.length && timingSafeEqual(given, wanted)) context.accept();
      else context.reject(["password"]);
    });
    connection.on("session", (accept) => accept().on("sftp", (open) => this.#answer(open())));
  }

  #answer(sftp: SFTPWrapper): void {
    const handles = new Map<string, { path: string; listed: boolean }>();
    const held = (path: string) => {
      const handle = Buffer.from(String(handles.size + 1));
      handles.set(handle.toString(), { path, listed: false });
      return handle;
    };
    const at = (handle: Buffer) => handles.get(handle.toString())!;
    const asked = (what: string, path: string, id: number, answer: () => void) => {
      this.log.push(`${what} ${path}`);
      Promise.resolve()
        .then(() => this.before(what, path))
        .then(answer)
        .catch(() => sftp.status(id, status.FAILURE));
    };
    const attrs = ({ kind, data, time }: Entry) => ({
      mode: kinds[kind],
      size: data.length,
      mtime: time,
      atime: time,
      uid: 0,
      gid: 0,
    });
    const stat = (id: number, path: string) =>
      asked("stat", path, id, () => {
        const entry = this.entries.get(path);
        if (entry) sftp.attrs(id, attrs(entry));
        else sftp.status(id, status.NO_SUCH_FILE);
      });
    sftp
      .on("OPENDIR", (id, path) =>
        asked("list", path, id, () =>
          this.entries.get(path)?.kind === "folder"
            ? sftp.handle(id, held(path))
            : sftp.status(id, status.NO_SUCH_FILE),
        ),
      )
      .on("READDIR", (id, handle) => {
        const place = at(handle);
        if (place.listed) return sftp.status(id, status.EOF);
        place.listed = true;
        const inside = [...this.entries].filter(([path]) => path.slice(0, path.lastIndexOf("/")) === place.path);
        sftp.name(
          id,
          inside.map(([path, entry]) => ({
            filename: path.slice(path.lastIndexOf("/") + 1),
            longname: "",
            attrs: attrs(entry),
          })),
        );
      })
      .on("LSTAT", stat)
      .on("STAT", stat)
      .on("OPEN", (id, path, flags) =>
        asked(flagsToString(flags) === "r" ? "open" : "write", path, id, () => {
          if (flagsToString(flags) !== "r") this.put(path, "");
          if (this.entries.has(path)) sftp.handle(id, held(path));
          else sftp.status(id, status.NO_SUCH_FILE);
        }),
      )
      .on("READ", (id, handle, from, length) =>
        asked("read", at(handle).path, id, () => {
          const piece = this.entries.get(at(handle).path)!.data.subarray(from, from + length);
          if (piece.length > 0) sftp.data(id, piece);
          else sftp.status(id, status.EOF);
        }),
      )
      .on("WRITE", (id, handle, from, data) => {
        const entry = this.entries.get(at(handle).path)!;
        entry.data = Buffer.concat([entry.data.subarray(0, from), data]);
        sftp.status(id, status.OK);
      })
      .on("CLOSE", (id) => sftp.status(id, status.OK))
      .on("MKDIR", (id, path) =>
        asked("mkdir", path, id, () => {
          this.entries.set(path, { kind: "folder", data: Buffer.alloc(0), time: 0 });
          sftp.status(id, status.OK);
        }),
      )
      .on("RENAME", (id, from, to) =>
        asked("rename", `${from} ${to}`, id, () => {
          const entry = this.entries.get(from);
          if (!entry || this.entries.has(to)) return sftp.status(id, status.FAILURE);
          this.entries.delete(from);
          this.entries.set(to, entry);
          sftp.status(id, status.OK);
        }),
      );
  }
}
