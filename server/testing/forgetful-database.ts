import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** PostgreSQL's message ReadyForQuery outside a transaction: the statement is done and committed. */
const done = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/**
 * A proxy in front of PostgreSQL. It can break a connection after a statement was committed and before its answer
 * arrives.
 */
export class ForgetfulDatabase {
  #lost: string | undefined;

  private constructor(
    readonly url: string,
    readonly close: () => void,
  ) {}

  static async before(target: string): Promise<ForgetfulDatabase> {
    const { hostname, port } = new URL(target);
    const sockets = new Set<Socket>();
    const server = createServer((client) => {
      const upstream = connect(Number(port), hostname);
      for (const socket of [client, upstream]) sockets.add(socket.on("error", () => undefined));
      database.#join(client, upstream);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = new URL(target);
    url.port = String((server.address() as AddressInfo).port);
    const database = new ForgetfulDatabase(url.href, () => {
      server.close();
      sockets.forEach((socket) => socket.destroy());
    });
    return database;
  }

  /** Loses the answer to the next statement with this text that a connection sends for the first time. */
  loseAnswerTo(text: string): void {
    this.#lost = text;
  }

  #join(client: Socket, upstream: Socket): void {
    let losing = false;
    client.on("data", (asked) => {
      if (this.#lost !== undefined && asked.includes(this.#lost)) {
        losing = true;
        this.#lost = undefined;
      }
      upstream.write(asked);
    });
    upstream.on("data", (answer) => {
      if (!losing) client.write(answer);
      else if (answer.subarray(-done.length).equals(done)) client.destroy();
    });
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
  }
}
