import { connect, type Socket } from "node:net";

export interface Answer {
  status: number;
  body: string;
}

interface Connection {
  send(request: string): Promise<Answer>;
  close(): void;
}

export interface Client {
  /**
   * Sends a request on the connection of this lane, which has one request at a time. Rejects if the status is not 2xx,
   * because a benchmark of refusals would measure nothing.
   */
  send(
    lane: number,
    method: string,
    path: string,
    options?: { body?: unknown; headers?: Record<string, string> },
  ): Promise<string>;
  close(): void;
}

/**
 * Opens an HTTP/1.1 client with one keep-alive connection for each lane, to make load. It shares two cores with the
 * server that it measures, and costs a fifth of what fetch or undici cost. It supports only responses as our servers
 * send them: with a content-length or in chunks.
 */
export async function httpClient(origin: string, lanes: number, common: Record<string, string> = {}): Promise<Client> {
  const { hostname, port, host } = new URL(origin);
  const connections = await Promise.all(Array.from({ length: lanes }, () => open(hostname, Number(port))));
  const headersOf = (headers: Record<string, string>) =>
    Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join("");
  const always = headersOf({ host, ...common });
  return {
    async send(lane, method, path, { body, headers = {} } = {}) {
      const sent = body === undefined ? "" : JSON.stringify(body);
      const described =
        body === undefined ? "" : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(sent)}\r\n`;
      const answer = await connections[lane]!.send(
        `${method} ${path} HTTP/1.1\r\n${always}${headersOf(headers)}${described}\r\n${sent}`,
      );
      if (answer.status >= 300)
        throw new Error(`${method} ${path} answered ${answer.status}: ${answer.body.slice(0, 300)}`);
      return answer.body;
    },
    close: () => connections.forEach((connection) => connection.close()),
  };
}

async function open(host: string, port: number): Promise<Connection> {
  const socket = connect({ host, port, noDelay: true });
  await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  let waiting: PromiseWithResolvers<Answer> | undefined;
  let received: Buffer = Buffer.alloc(0);
  const fail = (error: Error) => waiting?.reject(error);
  socket.on("error", fail).on("close", () => fail(new Error("The server closed the connection")));
  socket.on("data", (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const answer = parse(received);
    if (!answer) return;
    received = Buffer.alloc(0);
    waiting?.resolve(answer);
  });
  return {
    send(request) {
      waiting = Promise.withResolvers();
      if (socket.destroyed) fail(new Error("The server closed the connection"));
      else socket.write(request);
      return waiting.promise;
    },
    close: () => end(socket),
  };
}

function end(socket: Socket): void {
  socket.removeAllListeners("close").destroy();
}

const lastChunk = Buffer.from("0\r\n\r\n");

/** Returns undefined while the response is incomplete. */
function parse(bytes: Buffer): Answer | undefined {
  const head = bytes.indexOf("\r\n\r\n");
  if (head === -1) return undefined;
  const headers = bytes.toString("latin1", 0, head + 2);
  const status = Number(headers.slice(9, 12));
  const length = /\r\ncontent-length: *(\d+)\r\n/i.exec(headers)?.[1];
  const rest = head + 4;
  if (length !== undefined)
    return bytes.length < rest + Number(length) ? undefined : { status, body: bytes.toString("utf8", rest) };
  if (!/\r\ntransfer-encoding: *chunked\r\n/i.test(headers)) return { status, body: "" };
  return bytes.subarray(-5).equals(lastChunk) ? { status, body: unchunked(bytes.subarray(rest)) } : undefined;
}

function unchunked(bytes: Buffer): string {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf("\r\n", at);
    const size = parseInt(bytes.toString("latin1", at, lineEnd), 16);
    if (size === 0) return Buffer.concat(parts).toString();
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}
