import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/**
 * A proxy in front of PostgreSQL that can become silent, like a firewall that drops every packet: it neither answers
 * nor closes a connection.
 */
export class SilentDatabase {
  #pairs = new Set<[Socket, Socket]>();
  #silent = false;

  private constructor(
    readonly url: string,
    readonly close: () => void,
  ) {}

  static async before(target: string): Promise<SilentDatabase> {
    const { hostname, port } = new URL(target);
    const server = createServer((client) => database.#join(client, connect(Number(port), hostname))).listen(
      0,
      "127.0.0.1",
    );
    await once(server, "listening");
    const url = new URL(target);
    url.hostname = "127.0.0.1";
    url.port = String((server.address() as AddressInfo).port);
    const database = new SilentDatabase(url.href, () => {
      server.close();
      for (const pair of database.#pairs) for (const end of pair) end.destroy();
    });
    return database;
  }

  /** Stops forwarding on open connections. New connections still work, unless `also` is "new". */
  silence(also?: "new"): void {
    this.#silent = also === "new";
    for (const pair of this.#pairs) for (const end of pair) end.removeAllListeners("data").pause();
  }

  /** Forwards again on new connections. Silenced connections stay silent. */
  speak(): void {
    this.#silent = false;
  }

  #join(client: Socket, upstream: Socket): void {
    const pair: [Socket, Socket] = [client, upstream];
    this.#pairs.add(pair);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      if (this.#silent) from.pause();
      else from.on("data", (bytes) => to.write(bytes));
      from.on("error", () => undefined);
      from.on("close", () => {
        to.destroy();
        this.#pairs.delete(pair);
      });
    }
  }
}
