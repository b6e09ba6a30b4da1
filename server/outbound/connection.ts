import type { Socket } from "node:net";
import { Client } from "undici";
import { OutboundFailure } from "./failure";

/** Opens a socket to the URL's host. @param tried is called with each address before a connection to it is attempted */
export type Dial = (
  url: URL,
  signal: AbortSignal,
  tried: (address: string) => void,
) => Promise<{ socket: Socket; address: string }>;

/** Idle connections close after 4 s, or what the server's Keep-Alive header allows up to 30 s. */
const keepAlive = { keepAliveTimeout: 4_000, keepAliveMaxTimeout: 30_000 };

/**
 * One HTTP/1.1 connection that carries one request at a time. undici dials when it needs a socket, and dials again if
 * the server closed an idle one. Each dial resolves the name and checks the address.
 */
export class Connection {
  readonly client: Client;
  readonly openedAt = performance.now();
  /** The peer's address, once connected. */
  address: string | null = null;
  #dialling: AbortController | null = null;

  constructor(
    readonly url: URL,
    private readonly dial: Dial,
    private readonly connectTimeoutMs: number,
  ) {
    this.client = new Client(url.origin, {
      ...keepAlive,
      pipelining: 1,
      // Without timeouts of undici: the deadline of the request covers both.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (_options, callback) => {
        this.#connect().then(
          (socket) => callback(null, socket),
          (error: Error) => callback(error, null),
        );
      },
    });
  }

  get alive(): boolean {
    return this.client.stats.connected;
  }

  destroy(): void {
    this.#dialling?.abort(new OutboundFailure("connect", "The connection was given up."));
    void this.client.destroy();
  }

  async #connect(): Promise<Socket> {
    const limit = (this.#dialling = new AbortController());
    let lastTried: string | null = null;
    const timer = setTimeout(
      () =>
        limit.abort(
          new OutboundFailure(
            "timeout",
            `There was no connection within ${this.connectTimeoutMs / 1000} s.`,
            lastTried,
          ),
        ),
      this.connectTimeoutMs,
    );
    try {
      const { socket, address } = await this.dial(this.url, limit.signal, (tried) => (lastTried = tried));
      this.address = address;
      return socket;
    } catch (error) {
      throw limit.signal.aborted ? limit.signal.reason : error;
    } finally {
      clearTimeout(timer);
      this.#dialling = null;
    }
  }
}
