import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Client as SshClient, SFTPWrapper } from "ssh2";
import SftpClient from "ssh2-sftp-client";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { world, type World } from "@/server/testing/world";
import { deleteConnector } from "../../delete";
import { getConnectorRun } from "../../get-run";
import { listConnectorRuns } from "../../list-runs";
import { runConnectorStep } from "../../run/step";
import { fileOf, numbers } from "../../testing/feed";
import { updateConnector } from "../../update";
import { flushSecurityEvents } from "@/server/access/security-events";
import { listSecurityEvents } from "@/server/access/list-security-events";
import { ownHostKeys } from "../host-keys";
import { hostKeyOf } from "../host-key";
import { createSftpPassword, deleteSftpPassword } from "../password";
import { makeKeyPair } from "../make-key-pair";
import { Client } from "../ssh2";
import { hasClient, makeKey, scp, sftpClient } from "../testing/debian";
import { sender } from "../testing/receiver";
import { parkedMs, removeParked } from "./parked";
import { serveSftp, type RunningSftp, type SftpBounds } from "./serve";

let w: World;
let server: RunningSftp;
const clients: { end(): unknown }[] = [];
const sockets: Socket[] = [];
beforeAll(async () => {
  w = await world();
  server = await serveSftp({ host: "127.0.0.1", port: 0 });
});
afterEach(async () => {
  for (const client of clients.splice(0)) await Promise.resolve(client.end()).catch(() => undefined);
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(() => server.stop(0));

interface Who {
  username: string;
  password?: string;
  privateKey?: string;
}

async function signIn(who: Who, port = server.port): Promise<SftpClient> {
  const client = new SftpClient();
  client.on("error", () => undefined);
  clients.push(client);
  await client.connect({ host: "127.0.0.1", port, ...who });
  return client;
}

const openFile = (sftp: SFTPWrapper, path: string) =>
  new Promise<Buffer>((resolve, reject) =>
    sftp.open(path, "w", (error, handle) => (error ? reject(error) : resolve(handle))),
  );
const write = (sftp: SFTPWrapper, handle: Buffer, data: Buffer, at: number) =>
  new Promise<void>((resolve, reject) =>
    sftp.write(handle, data, 0, data.length, at, (error) => (error ? reject(error) : resolve())),
  );

/** Opens the raw protocol, for requests that no ordinary client sends. */
async function raw(who: Who, port = server.port): Promise<{ client: SshClient; sftp: SFTPWrapper }> {
  const client = new Client();
  clients.push(client);
  client.on("error", () => undefined);
  client.connect({ host: "127.0.0.1", port, ...who });
  await once(client, "ready");
  const sftp = await promisify(
    client.sftp.bind(client) as (done: (e: Error | undefined, s: SFTPWrapper) => void) => void,
  )();
  return { client, sftp: sftp as unknown as SFTPWrapper };
}

const runsOf = async (id: string) => (await listConnectorRuns(w.ctx, { id })).data;
async function finished(id: string, run: string) {
  for (;;) {
    const found = await getConnectorRun(w.ctx, { id, run });
    if (found.status !== "queued" && found.status !== "running") return found;
    await runConnectorStep(new Date());
  }
}

describe("a file that is sent by SFTP", () => {
  it("is applied when its handle is closed, and its report can be read in archive", async () => {
    const who = await sender(w.ctx);
    const client = await signIn(who);
    await client.put(Buffer.from(fileOf(numbers(1, 3))), "/people.csv");
    const [run] = await runsOf(who.id);
    expect(run).toMatchObject({ trigger: "sftp", file: { name: "people.csv" } });
    expect((await client.list("/")).map(({ name }) => name).sort()).toEqual(["archive", "error", "people.csv"]);
    expect((await client.stat("/people.csv")).size).toBe(fileOf(numbers(1, 3)).length);
    expect(await finished(who.id, run!.id)).toMatchObject({ status: "succeeded", counts: { created: 3 } });
    await client.end();
    const later = await signIn(who);
    const [report] = await later.list("/archive");
    const text = String(await later.get(`/archive/${report!.name}`));
    expect([report!.size, text]).toEqual([text.length, expect.stringContaining("File: people.csv")]);
    expect(text).toContain("Result: applied.\r\n\r\nRows: 3\r\nCreated: 3");
    await later.put(Buffer.from("no,column\n1,2\n"), "/wrong.csv");
    const [wrong] = await runsOf(who.id);
    expect(await finished(who.id, wrong!.id)).toMatchObject({ status: "failed" });
    await later.end();
    expect((await (await signIn(who)).list("/error")).map(({ name }) => name)).toEqual([
      expect.stringMatching(/^\d{8}-\d{6}-wrong\.csv\.report\.txt$/),
    ]);
  });

  it("waits under an unfinished name until it is renamed", async () => {
    const who = await sender(w.ctx);
    const client = await signIn(who);
    await client.put(Buffer.from(fileOf([1])), "/people.csv.part");
    expect(await runsOf(who.id)).toEqual([]);
    await client.rename("/people.csv.part", "/people.csv");
    expect(await runsOf(who.id)).toMatchObject([{ file: { name: "people.csv" } }]);
  });

  it("is kept for a day under its unfinished name, if it is complete, for later sessions of its connector", async () => {
    const who = await sender(w.ctx);
    const client = await signIn(who);
    await client.put(Buffer.from(fileOf([1])), "/people.csv.part");
    await client.put(Buffer.from(fileOf([2])), "/other.tmp");
    await client.end();
    const later = await signIn(who);
    await expect.poll(async () => (await later.list("/")).map(({ name }) => name)).toContain("people.csv.part");
    expect((await later.stat("/people.csv.part")).size).toBe(fileOf([1]).length);
    const stranger = await signIn(await sender(w.ctx));
    expect((await stranger.list("/")).map(({ name }) => name)).toEqual(["archive", "error"]);
    await expect(stranger.rename("/people.csv.part", "/people.csv")).rejects.toThrow(/no such file/i);
    await later.rename("/people.csv.part", "/people.csv");
    expect(await runsOf(who.id)).toMatchObject([{ file: { name: "people.csv", size: fileOf([1]).length } }]);
    // A file that was not handed over shows its size.
    expect((await later.list("/")).find(({ name }) => name === "people.csv")?.size).toBe(fileOf([1]).length);
    removeParked(Date.now() + parkedMs);
    expect((await later.list("/")).map(({ name }) => name)).not.toContain("other.tmp");
  });

  it("can arrive in parallel pieces in any order", async () => {
    const who = await sender(w.ctx);
    const folder = await mkdtemp(join(tmpdir(), "sent-"));
    await writeFile(join(folder, "big.csv"), fileOf(numbers(1, 60_000)));
    await (await signIn(who)).fastPut(join(folder, "big.csv"), "/big.csv", { concurrency: 32 });
    await rm(folder, { recursive: true });
    const [run] = await runsOf(who.id);
    expect(run!.file!.size).toBe(fileOf(numbers(1, 60_000)).length);
    expect(await finished(who.id, run!.id)).toMatchObject({ status: "succeeded", counts: { rows: 60_000 } });
  });

  it("is not applied if the connection breaks in the middle", async () => {
    const who = await sender(w.ctx);
    const { client, sftp } = await raw(who);
    const handle = await openFile(sftp, "/people.csv");
    await write(sftp, handle, Buffer.from("id,name\n"), 0);
    client.destroy();
    const again = await signIn(who);
    expect((await again.list("/")).map(({ name }) => name).sort()).toEqual(["archive", "error"]);
    expect(await runsOf(who.id)).toEqual([]);
  });

  it("is refused with an explanation if the connector is paused or pieces are missing", async () => {
    const who = await sender(w.ctx);
    await updateConnector(w.ctx, { id: who.id, status: "paused" });
    const client = await signIn(who);
    await expect(client.put(Buffer.from(fileOf([1])), "/people.csv")).rejects.toThrow(/connector is paused/);
    await updateConnector(w.ctx, { id: who.id, status: "active" });
    const { sftp } = await raw(who);
    const handle = await openFile(sftp, "/holes.csv");
    await write(sftp, handle, Buffer.from("id\n"), 1000);
    await expect(promisify<Buffer>(sftp.close.bind(sftp))(handle)).rejects.toThrow(/Pieces of the file are missing/);
    expect(await runsOf(who.id)).toEqual([]);
  });

  it.skipIf(!hasClient)(
    "can be sent by OpenSSH's client with a key, which checks our host key (skipped without sftp)",
    async () => {
      const folder = await mkdtemp(join(tmpdir(), "openssh-"));
      const publicKey = await readFile(`${makeKey(folder, "id", "rsa")}.pub`, "utf8");
      const who = await sender(w.ctx, { publicKeys: [publicKey] });
      await writeFile(join(folder, "people.csv"), fileOf(numbers(1, 2)));
      await writeFile(
        join(folder, "batch"),
        `put ${join(folder, "people.csv")} people.csv.part\nrename people.csv.part people.csv\nls -l\n`,
      );
      const keyscan = await hostKeyLine(server.port);
      await writeFile(join(folder, "known_hosts"), keyscan);
      const options = [
        "StrictHostKeyChecking=yes",
        `UserKnownHostsFile=${join(folder, "known_hosts")}`,
        "IdentitiesOnly=yes",
      ];
      const { stdout } = await promisify(execFile)(
        sftpClient,
        [
          "-b",
          join(folder, "batch"),
          "-P",
          String(server.port),
          "-i",
          join(folder, "id"),
          ...options.flatMap((o) => ["-o", o]),
          `${who.username}@127.0.0.1`,
        ],
        { timeout: 60_000 },
      );
      expect(stdout).toContain("people.csv");
      // OpenSSH's scp speaks SFTP and exits with 1 if the server sends no exit status.
      await writeFile(join(folder, "more.csv"), fileOf(numbers(1, 3)));
      const sent = await promisify(execFile)(
        scp,
        [
          "-B",
          "-P",
          String(server.port),
          "-i",
          join(folder, "id"),
          ...options.flatMap((o) => ["-o", o]),
          join(folder, "more.csv"),
          `${who.username}@127.0.0.1:more.csv`,
        ],
        { timeout: 60_000 },
      ).then(
        () => 0,
        ({ code, stderr }: { code: number; stderr: string }) => `${code} ${stderr}`,
      );
      expect(sent).toBe(0);
      const run = (await runsOf(who.id)).at(-1);
      expect(await finished(who.id, run!.id)).toMatchObject({ status: "succeeded", counts: { rows: 2, rejected: 0 } });
      await rm(folder, { recursive: true });
    },
  );
});

/** Returns a known_hosts line for our Ed25519 key, after checking that the console shows the same fingerprint. */
async function hostKeyLine(port: number): Promise<string> {
  const client = new Client();
  client.on("error", () => undefined);
  const key = await new Promise<Buffer>((resolve) => {
    client.connect({
      host: "127.0.0.1",
      port,
      username: "nobody",
      algorithms: { serverHostKey: ["ssh-ed25519"] },
      hostVerifier: (blob: Buffer) => {
        resolve(blob);
        return false;
      },
    });
  });
  expect(await ownHostKeys()).toContainEqual(hostKeyOf(key));
  return `[127.0.0.1]:${port} ssh-ed25519 ${key.toString("base64")}\n`;
}

describe("a sender", () => {
  it("sees neither files of other senders nor paths of our disk", async () => {
    const [mine, other] = [await sender(w.ctx), await sender((await world()).ctx)];
    await (await signIn(other)).put(Buffer.from(fileOf([1])), "/theirs.csv");
    const client = await signIn(mine);
    for (const path of ["/", "/../..", "/archive/../.."])
      expect((await client.list(path)).map(({ name }) => name).sort()).toEqual(["archive", "error"]);
    for (const path of [
      "/etc/passwd",
      "/../etc/passwd",
      "/archive/../../etc/passwd",
      "/theirs.csv",
      "/archive/x\\..\\y",
    ])
      await expect(client.get(path)).rejects.toThrow();
    for (const path of ["/archive/new.csv", "/sub/new.csv", "/archive", "/a\u202eb.csv", `/${"x".repeat(300)}`])
      await expect(client.put(Buffer.from("x"), path)).rejects.toThrow();
    await expect(client.mkdir("/folder")).rejects.toThrow();
    const { sftp } = await raw(mine);
    await expect(promisify<string, string>(sftp.symlink.bind(sftp))("/etc/passwd", "/link.csv")).rejects.toThrow();
    await expect(
      promisify(
        sftp.ext_openssh_hardlink.bind(sftp) as (a: string, b: string, done: (e?: Error | null) => void) => void,
      )("/etc/passwd", "/l.csv"),
    ).rejects.toThrow();
  });

  it("gets no shell, runs no command and opens no tunnel", async () => {
    const { client } = await raw(await sender(w.ctx));
    await expect(
      promisify(client.exec.bind(client) as (c: string, done: (e?: Error) => void) => void)("id"),
    ).rejects.toThrow();
    await expect(promisify(client.shell.bind(client) as (done: (e?: Error) => void) => void)()).rejects.toThrow();
    await expect(
      promisify(
        client.forwardOut.bind(client) as (
          a: string,
          b: number,
          c: string,
          d: number,
          done: (e?: Error) => void,
        ) => void,
      )("127.0.0.1", 1, "127.0.0.1", 5432),
    ).rejects.toThrow();
  });

  it("can sign in only with a currently valid password or key", async () => {
    const key = makeKeyPair();
    const who = await sender(w.ctx, { publicKeys: [key.public] });
    await expect(signIn({ ...who, password: "wrong" })).rejects.toThrow();
    await expect(signIn({ username: who.username, password: "" })).rejects.toThrow();
    await expect(signIn({ username: "files-nobody", password: who.password })).rejects.toThrow();
    const stranger = makeKeyPair().private;
    await expect(signIn({ username: who.username, privateKey: stranger })).rejects.toThrow();
    await signIn({ username: who.username, privateKey: key.private });
    const open = await signIn(who);
    const { password } = await createSftpPassword(w.ctx, { id: who.id });
    await expect(open.put(Buffer.from(fileOf([1])), "/late.csv")).rejects.toThrow(/no longer/);
    await expect(open.list("/")).rejects.toThrow(/no longer/);
    await expect(open.stat("/archive")).rejects.toThrow(/no longer/);
    await expect(open.get("/archive/people.csv.report.txt")).rejects.toThrow(/no longer/);
    await expect(signIn(who)).rejects.toThrow();
    await signIn({ ...who, password });
    await deleteSftpPassword(w.ctx, { id: who.id });
    await expect(signIn({ ...who, password })).rejects.toThrow();
    await deleteConnector(w.ctx, { id: who.id });
    await expect(signIn({ username: who.username, privateKey: key.private })).rejects.toThrow();
  });

  it("can have only a limited number of unfinished files and open handles", async () => {
    const { sftp } = await raw(await sender(w.ctx));
    const tries = await Promise.allSettled(numbers(1, 25).map((n) => openFile(sftp, `/${n}.part`)));
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(20);
    const list = promisify<string, Buffer>(sftp.opendir.bind(sftp));
    const lists = await Promise.allSettled(numbers(1, 40).map(() => list("/")));
    expect(lists.filter(({ status }) => status === "fulfilled")).toHaveLength(12);
  });
});

describe("a hostile client", () => {
  const bounded = async (bounds: Partial<SftpBounds>, test: (port: number) => Promise<void>) => {
    const own = await serveSftp({ host: "127.0.0.1", port: 0 }, bounds);
    try {
      await test(own.port);
    } finally {
      await own.stop(0);
    }
  };
  const dial = async (port: number) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined).resume();
    sockets.push(socket);
    await once(socket, "connect");
    return socket;
  };

  it("is disconnected if it does not sign in or does not speak SSH", () =>
    bounded({ signInMs: 100 }, async (port) => {
      const silent = await dial(port);
      await once(silent, "close");
      expect(silent.destroyed).toBe(true);
      const other = await dial(port);
      other.write("GET / HTTP/1.1\r\n\r\n".repeat(10_000));
      await once(other, "close");
    }));

  it("is disconnected if it sends no requests", () =>
    bounded({ idleMs: 2_000 }, async (port) => {
      const { client } = await raw(await sender(w.ctx), port);
      expect(await once(client, "close")).toEqual([]);
    }));

  it("has a limited number of connections per address and per user", () =>
    bounded({ connectionsOfAddress: 3, connectionsOfUser: 1 }, async (port) => {
      const who = await sender(w.ctx);
      await raw(who, port);
      await expect(signIn(who, port)).rejects.toThrow();
      const open = await Promise.all([dial(port), dial(port), dial(port)]);
      const closed = await Promise.race(open.map((socket) => once(socket, "close")));
      expect(closed).toBeDefined();
    }));

  it("has a limited number of handshakes per minute", () =>
    bounded({ handshakes: 2 }, async (port) => {
      const who = await sender(w.ctx);
      for (let n = 0; n < 2; n++) await (await signIn(who, port)).end();
      await expect(signIn(who, port)).rejects.toThrow();
    }));

  it("is reported to the organisation if it guesses passwords; many connections of one user are not reported", () =>
    bounded({ connectionsOfUser: 1 }, async (port) => {
      const own = await world();
      const who = await sender(own.ctx);
      const open = await signIn(who, port);
      for (let n = 0; n < 4; n++) await expect(signIn(who, port)).rejects.toThrow();
      const events = async () => {
        await flushSecurityEvents();
        return (await listSecurityEvents(own.ctx, {})).data;
      };
      expect(await events()).toEqual([]);
      await open.end();
      await expect
        .poll(() =>
          signIn(who, port).then(
            () => true,
            () => false,
          ),
        )
        .toBe(true);
      await expect(signIn({ ...who, password: "wrong" }, port)).rejects.toThrow();
      expect(await events()).toMatchObject([
        { type: "sign_in_failed", target: { type: "connector", id: who.id }, detail: { by: "sftp" } },
      ]);
    }));

  it("can try only a few passwords from one address, on however many connections", () =>
    bounded({ failures: 3, tries: 2 }, async (port) => {
      const who = await sender(w.ctx);
      for (let n = 0; n < 5; n++) await expect(signIn({ ...who, password: `guess ${n}` }, port)).rejects.toThrow();
      await expect(signIn(who, port)).rejects.toThrow();
    }));

  it("does not prevent a stop, which first waits for files that are being received", async () => {
    const own = await serveSftp({ host: "127.0.0.1", port: 0 });
    const who = await sender(w.ctx);
    const { sftp } = await raw(who, own.port);
    const idle = await raw(who, own.port);
    const handle = await openFile(sftp, "/people.csv");
    const stopped = own.stop(60_000);
    await once(idle.client, "close");
    const text = Buffer.from(fileOf([1]));
    await write(sftp, handle, text, 0);
    await promisify<Buffer>(sftp.close.bind(sftp))(handle);
    await stopped;
    expect(await runsOf(who.id)).toMatchObject([{ file: { name: "people.csv" } }]);
  });
});
