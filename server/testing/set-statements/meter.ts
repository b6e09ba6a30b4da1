import pg from "pg";
import { vi } from "vitest";

/** Rows read from tables, and pages of tables and indexes accessed. */
export interface Reads {
  rows: number;
  pages: number;
}

/**
 * Counts what PostgreSQL reads for the code under test, on all connections, and records the statements that the code
 * sends.
 */
export class Meter {
  /** The text of every statement sent so far. */
  readonly statements = new Set<string>();
  readonly #clients = new Set<pg.Client>();
  /** Connections that are being closed. PostgreSQL adds what they read to its counts after they have closed. */
  readonly #closing = new Set<Promise<void>>();
  readonly #own: pg.Client;

  private constructor(own: pg.Client) {
    this.#own = own;
  }

  static async start(url: string): Promise<Meter> {
    const own = new pg.Client({ connectionString: url });
    await own.connect();
    const meter = new Meter(own);
    // The spy calls the original, so the code under test uses PostgreSQL as usual.
    const { query, end } = pg.Client.prototype as unknown as Record<
      "query" | "end",
      (this: pg.Client, ...args: unknown[]) => unknown
    >;
    vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...args: unknown[]) {
      if (this !== own) meter.#note(this, args[0]);
      return query.apply(this, args);
    } as never);
    // A pool may close at any moment a connection that was idle for ten seconds.
    vi.spyOn(pg.Client.prototype, "end").mockImplementation(function (this: pg.Client, ...args: unknown[]) {
      meter.#noteEnd(this);
      return end.apply(this, args);
    } as never);
    return meter;
  }

  async reads(work: () => Promise<unknown>): Promise<Reads> {
    const before = await this.#total();
    await work();
    const after = await this.#total();
    return { rows: after.rows - before.rows, pages: after.pages - before.pages };
  }

  async end(): Promise<void> {
    vi.restoreAllMocks();
    await this.#own.end();
  }

  #note(client: pg.Client, sent: unknown): void {
    if (!this.#clients.has(client)) {
      this.#clients.add(client);
      client.once("end", () => this.#clients.delete(client));
    }
    const text = typeof sent === "string" ? sent : (sent as { text?: string }).text;
    if (text) this.statements.add(text);
  }

  #noteEnd(client: pg.Client): void {
    if (!this.#clients.delete(client)) return;
    const closed = new Promise<void>((resolve) => void client.once("end", resolve));
    this.#closing.add(closed);
    void closed.then(() => this.#closing.delete(closed));
  }

  async #total(): Promise<Reads> {
    // Without this call, a connection reports its counts at most once a second.
    for (const client of this.#clients) await client.query("SELECT pg_stat_force_next_flush()");
    await Promise.all(this.#closing);
    const { rows } = await this.#own.query<Reads>(
      `SELECT (SELECT coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::float8 FROM pg_stat_user_tables) AS rows,
         (SELECT coalesce(sum(heap_blks_hit + heap_blks_read + coalesce(idx_blks_hit + idx_blks_read, 0)), 0)::float8 FROM pg_statio_user_tables) AS pages`,
    );
    return rows[0]!;
  }
}
