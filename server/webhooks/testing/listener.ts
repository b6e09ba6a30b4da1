import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** What a customer runs: a server that keeps what it receives and answers as `answer` says (204 by default). */
export class Listener {
  readonly received: Received[] = [];
  answer: (request: Received, response: ServerResponse) => void = (_, response) => response.writeHead(204).end();
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const received = { path: request.url!, headers: request.headers, body: Buffer.concat(chunks).toString("utf8") };
      this.received.push(received);
      this.#waiting.splice(0).forEach((waiter) => waiter());
      this.answer(received, response);
    });
  });
  readonly #waiting: (() => void)[] = [];

  async start(): Promise<this> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return this;
  }

  url(path = "/hooks"): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`;
  }

  /** Resolves once there are that many requests to the path. */
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
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
