import pg from "pg";

/**
 * A pg.Pool of exactly one given connection, which is inside a transaction that we own. Prisma's adapter accepts only a
 * Pool; through this one, what Prisma does happens in our transaction, and a transaction of its own becomes a
 * savepoint.
 */
export class OneConnection extends pg.Pool {
  constructor(private readonly connection: pg.ClientBase) {
    super({ max: 1 });
  }

  override query = ((config: pg.QueryConfig) => this.connection.query(config)) as pg.Pool["query"];

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
