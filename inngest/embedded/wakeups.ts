import pg from "pg";
import type { Logger } from "pino";
import { channel } from "./enqueue";

/** Listens for runs that other engines queued. While its connection is down, the engine's poll finds them. */
export class Wakeups {
  private client: pg.Client | undefined;
  private retry: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly options: pg.PoolConfig,
    private readonly engineId: string,
    private readonly log: Logger,
    private readonly wake: () => void,
  ) {}

  async start(): Promise<void> {
    const client = new pg.Client({ ...this.options, keepAlive: true });
    this.client = client;
    client.on("notification", ({ payload }) => {
      if (payload !== this.engineId) this.wake();
    });
    let down = false;
    const reconnect = (error?: Error) => {
      if (down || this.stopped) return;
      down = true;
      this.log.warn({ err: error }, "the engine's listening connection is down");
      this.retry = setTimeout(() => void this.start(), 1000);
      client.end().catch(() => undefined);
    };
    client.on("error", reconnect);
    client.on("end", () => reconnect());
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}`);
      // Find what was queued while the connection was down.
      this.wake();
    } catch (error) {
      reconnect(error as Error);
    }
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.retry);
    await this.client?.end().catch(() => undefined);
  }
}
