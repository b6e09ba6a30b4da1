import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import type { AuthContext, Connection } from "ssh2";
import { addressBlock } from "@/server/core/address-block";
import { count, type Limit } from "@/server/core/limiter";
import { log } from "@/server/core/log";
import { privateHostKeys } from "../host-keys";
import { Server } from "../ssh2";
import { recordSecurityEvent } from "@/server/access/security-events";
import { newId, publicId } from "@/server/core/ids";
import { findAccount, keyFits, passwordFits, type Account, type Credential } from "./account";
import { answerSftp } from "./answer";
import { Inbox } from "./inbox";
import { dropParked } from "./parked";

/** The limits of the server; tests use lower ones. */
export interface SftpBounds {
  connections: number;
  connectionsOfAddress: number;
  connectionsOfUser: number;
  /** The most time from the connection to the sign-in. */
  signInMs: number;
  /** The most time without a request. */
  idleMs: number;
  sessionMs: number;
  /** The most failed sign-ins of one connection. */
  tries: number;
  /** The most failed sign-ins from one address in a minute. */
  failures: number;
  /** The most connections from one address in a minute, because each costs a key exchange. */
  handshakes: number;
}

const usual: SftpBounds = {
  connections: 200,
  connectionsOfAddress: 20,
  connectionsOfUser: 4,
  signInMs: 30_000,
  idleMs: 5 * 60_000,
  sessionMs: 2 * 60 * 60_000,
  tries: 6,
  failures: 30,
  handshakes: 120,
};

/** Backpressure by received bytes that are not on disk yet: reading pauses above `most` and resumes below `again`. */
const heldBytes = { most: 2 * 1024 * 1024, again: 512 * 1024 };
/** The most bytes of answers that a client has not read. */
const unreadBytes = 4 * 1024 * 1024;
const channelsAtMost = 4;

export interface RunningSftp {
  port: number;
  /** Accepts no more connections, waits for files that are being received, and closes the rest after `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

interface Open {
  socket: Socket;
  address: string;
  user?: string;
  inboxes: Inbox[];
}

/** Starts the SFTP server to which senders upload the files of connectors. */
export async function serveSftp(
  { host, port }: { host?: string | undefined; port: number },
  bounds: Partial<SftpBounds> = {},
): Promise<RunningSftp> {
  const limits = { ...usual, ...bounds };
  const hostKeys = await privateHostKeys();
  const open = new Set<Open>();
  const ofAddress = (address: string) => [...open].filter((other) => other.address === address).length;
  let stopping = false;

  // One protocol server per socket, because the library cannot pause a connection but we can pause our socket.
  const tcp = createServer((socket) => {
    socket.on("error", () => undefined);
    const address = addressBlock(socket.remoteAddress ?? "unknown");
    if (stopping || open.size >= limits.connections || ofAddress(address) >= limits.connectionsOfAddress)
      return void socket.destroy();
    const handshakes: Limit = { name: "sftp connections", points: limits.handshakes, seconds: 60 };
    if (count(handshakes, `${socket.localPort} ${address}`).isOver) return void socket.destroy();
    const connection: Open = { socket, address, inboxes: [] };
    open.add(connection);
    const unsigned = setTimeout(() => socket.destroy(), limits.signInMs);
    const session = setTimeout(() => socket.destroy(), limits.sessionMs);
    socket.once("close", () => {
      clearTimeout(unsigned);
      clearTimeout(session);
      open.delete(connection);
      for (const inbox of connection.inboxes)
        inbox.end().catch((error: unknown) => log().error({ err: error }, "an unfinished file could not be removed"));
    });
    const isFull = (user: string) =>
      [...open].filter((other) => other.user === user).length >= limits.connectionsOfUser;
    const server = new Server({ hostKeys, ident: "Bonafide" }, (client) =>
      converse(client, connection, { ...limits, isFull, signedIn: () => clearTimeout(unsigned) }),
    );
    server.on("error", () => socket.destroy());
    server.injectSocket(socket);
  });
  tcp.listen(port, host);
  await once(tcp, "listening");
  return {
    port: (tcp.address() as { port: number }).port,
    async stop(graceMs) {
      stopping = true;
      tcp.close();
      const until = Date.now() + graceMs;
      for (;;) {
        for (const { socket, inboxes } of open) if (!inboxes.some((inbox) => inbox.isBusy)) socket.destroySoon();
        if (open.size === 0 || Date.now() >= until) break;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      for (const { socket } of open) socket.destroy();
      dropParked();
    },
  };
}

interface Conversation extends SftpBounds {
  isFull(user: string): boolean;
  signedIn(): void;
}

function converse(client: Connection, connection: Open, limits: Conversation): void {
  const { socket, address } = connection;
  const failures: Limit = { name: "sftp sign-ins", points: limits.failures, seconds: 60 };
  let tries = 0;
  let account: Account | null = null;
  let credential: Credential | null = null;

  const signIn = async (context: AuthContext): Promise<void> => {
    if (context.method !== "password" && context.method !== "publickey")
      return context.reject(["password", "publickey"]);
    const found = await findAccount(context.username);
    const fits = context.method === "password" ? passwordFits(found, context.password) : keyFits(found, context);
    const isProbe = context.method === "publickey" && !context.signature;
    if (fits && isProbe) return context.accept();
    if (fits && limits.isFull(context.username)) {
      // Not counted as a failed sign-in, because the password or key is right.
      log().info({ address, user: context.username }, "a user has too many connections by SFTP");
      return ++tries >= limits.tries ? void socket.destroy() : context.reject(["password", "publickey"]);
    }
    if (fits && !count(failures, address, 0).isOver) {
      [account, credential] = [found, fits];
      connection.user = context.username;
      limits.signedIn();
      return context.accept();
    }
    if (isProbe && ++tries <= limits.tries * 2) return context.reject(["password", "publickey"]);
    log().info({ address, method: context.method }, "a sign-in by SFTP was refused");
    noteRefused(found, address);
    if (count(failures, address).isOver || ++tries >= limits.tries) return void socket.destroy();
    context.reject(["password", "publickey"]);
  };

  client.on("error", () => socket.destroy());
  client.on("authentication", (context) => {
    signIn(context).catch((error: unknown) => {
      log().error({ err: error }, "a sign-in by SFTP failed");
      socket.destroy();
    });
  });
  client.on("ready", () => {
    client.on("session", (accept, reject) => {
      if (connection.inboxes.length >= channelsAtMost) return reject();
      const session = accept();
      // Shells, commands and forwarding have no listeners, so the library refuses them.
      session.on("sftp", (begin, refuse) => {
        if (connection.inboxes.length >= channelsAtMost) return refuse();
        const inbox = new Inbox(account!, credential!);
        connection.inboxes.push(inbox);
        const sftp = begin();
        sftp.on("error", () => socket.destroy());
        // The client is done and waits until we close too. Without an exit status, scp would report a failure.
        sftp.on("end", () => {
          exitWithZero(sftp);
          sftp.end();
        });
        answerSftp(sftp, inbox, flowOf(socket, limits.idleMs));
      });
    });
  });
}

/** Sends exit status 0 on a channel. The library does this for commands (Channel.js) but not for SFTP. */
function exitWithZero(sftp: object): void {
  const { _protocol: protocol, outgoing } = sftp as {
    _protocol: { exitStatus(channel: number, status: number): void };
    outgoing: { id: number; state: string };
  };
  if (outgoing.state === "open") protocol.exitStatus(outgoing.id, 0);
}

/** Records a refused sign-in as a security event of the organisation whose connector it was for. */
function noteRefused(account: Account | null, address: string): void {
  recordSecurityEvent({
    type: "sign_in_failed",
    orgId: account?.orgId ?? null,
    ...(account && { target: { type: "connector", id: publicId("con", account.connectorId) } }),
    detail: { by: "sftp" },
    address,
    requestId: publicId("req", newId("req")),
    at: new Date(),
  });
}

function flowOf(socket: Socket, idleMs: number) {
  const idle = setTimeout(() => socket.destroy(), idleMs);
  socket.once("close", () => clearTimeout(idle));
  let held = 0;
  return {
    active: () => {
      idle.refresh();
      if (socket.writableLength > unreadBytes) socket.destroy();
    },
    end: () => void socket.destroy(),
    waiting: (bytes: number) => {
      held += bytes;
      if (held > heldBytes.most) socket.pause();
      else if (bytes < 0 && held < heldBytes.again && socket.isPaused()) socket.resume();
    },
  };
}
