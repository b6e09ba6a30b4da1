import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { createServer, type Socket } from "node:net";
import type { SecureContextOptions } from "node:tls";
import { listen, type Listener as Door } from "@/server/outbound/testing/listener";

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** The body in bytes, as received. */
  bytes: Buffer;
}

/** A customer's server: keeps the requests it receives and answers with `answer` (204 by default). */
export class Listener {
  readonly received: Received[] = [];
  answer: (request: Received, response: ServerResponse) => void = (_, response) => response.writeHead(204).end();
  /** Handles a new connection, before TLS. */
  accept = (socket: Socket): void => void this.#server.emit("connection", socket);
  readonly #server: ReturnType<typeof createHttpServer> | ReturnType<typeof createHttpsServer>;
  readonly #waiting: (() => void)[] = [];
  #door!: Door;

  /** @param identity a key and certificate, for https. */
  constructor(identity?: SecureContextOptions) {
    this.#server = identity ? createHttpsServer(identity) : createHttpServer();
    this.#server.on("request", (request, response) => this.#receive(request, response));
  }

  async start(): Promise<this> {
    this.#door = await listen(createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.accept(socket)));
    return this;
  }

  url(path = "/hooks"): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  get port(): number {
    return this.#door.port;
  }

  /** Every connection accepted so far, including closed ones. */
  get connections(): Socket[] {
    return this.#door.connections;
  }

  /** Resolves once the path has received `count` requests. */
  async until(count: number, path = "/hooks"): Promise<Received[]> {
    for (;;) {
      const found = this.to(path);
      if (found.length >= count) return found;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  to(path: string): Received[] {
    return this.received.filter((request) => request.path === path);
  }

  async close(): Promise<void> {
    await this.#door.close();
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const bytes = Buffer.concat(chunks);
      const received = { path: request.url!, headers: request.headers, body: bytes.toString("utf8"), bytes };
      this.received.push(received);
      this.#waiting.splice(0).forEach((waiter) => waiter());
      this.answer(received, response);
    });
  }
}
