import pg from "pg";

/**
 * A pg.Pool of exactly one connection, which is inside a transaction of ours. Prisma's adapter accepts only a Pool.
 * Through this one, Prisma works in our transaction, and a transaction that Prisma begins becomes a savepoint.
 */
export class OneConnection extends pg.Pool {
  private current: pg.ClientBase | undefined;

  constructor() {
    super({ max: 1 });
  }

  /** Sets the connection to work on; undefined for none. */
  use(connection: pg.ClientBase | undefined): void {
    this.current = connection;
  }

  private get connection(): pg.ClientBase {
    if (!this.current) throw new Error("The transaction has ended; Prisma can do nothing in it any more.");
    return this.current;
  }

  override query = (async (config: pg.QueryConfig) => this.connection.query(config)) as unknown as pg.Pool["query"];

  override connect = (() =>
    Promise.resolve({
      query: (config: pg.QueryConfig) => this.connection.query({ ...config, text: asSavepoint(config.text) }),
      on: () => undefined,
      removeListener: () => undefined,
      release: () => undefined,
    })) as unknown as pg.Pool["connect"];
}

function asSavepoint(text: string): string {
  if (text === "BEGIN") return "SAVEPOINT prisma";
  if (text === "COMMIT") return "RELEASE SAVEPOINT prisma";
  if (text === "ROLLBACK") return "ROLLBACK TO SAVEPOINT prisma";
  return text;
}
