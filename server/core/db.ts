import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { env } from "./env";
import { nudge, type NudgeTopic } from "./nudge";
import { PrismaClient } from "./generated/client";
import { OneConnection } from "./sql-connection";
import { guardTenancy } from "./tenancy-guard";

/** Prisma without what would leave our transaction or our pool. */
export type Db = Omit<PrismaClient, "$transaction" | "$connect" | "$disconnect" | "$extends" | "$on">;

/**
 * Rows of a parametrised statement. It is prepared unless `prepared` is false: for what PostgreSQL must plan with the values
 * in hand, such as a search whose words may match one row or all.
 */
export type Query = <Row extends object>(text: string, values?: unknown[], prepared?: boolean) => Promise<Row[]>;

interface Shared {
  pool?: pg.Pool;
  queuePool?: pg.Pool;
  prisma?: Db;
  statementNames?: Map<string, string>;
}
const holder = globalThis as { bonafideDb?: Shared };
const shared = (holder.bonafideDb ??= {});

// bigint columns hold sequences and counts, far below 2^53.
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig["getTypeParser"],
};

/** The connections of this process. */
export function pool(): pg.Pool {
  return (shared.pool ??= createPool(env().DATABASE_POOL, ""));
}

function createPool(max: number, settings: string): pg.Pool {
  const created = new pg.Pool({
    connectionString: env().DATABASE_URL,
    max,
    connectionTimeoutMillis: 10_000,
    // A database that vanishes without a word must not be waited for.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types,
    // A statement is sent without waiting for the answer to the one before it: see Tx.
    pipeline: true,
    // A transaction whose client died must not hold its locks for minutes.
    options: `-c client_connection_check_interval=1s -c idle_in_transaction_session_timeout=60s ${settings}`,
  });
  // A connection that breaks fails what it was asked, and the pool replaces it; without listeners, of the pool for one that is
  // idle and of its own for one in use, it would end the process.
  created.on("error", () => undefined);
  created.on("connect", (connection) => connection.on("error", () => undefined));
  return created;
}

// A statement is prepared under a name of its own, once a connection. Texts are constants or built from a few
// variants; the bound keeps a mistake from filling PostgreSQL's memory. Shared as the connections are: a name that stood
// for one text here and for another in Next's bundle would be refused.
const statementNames = (shared.statementNames ??= new Map<string, string>());

function statement(text: string, values: unknown[], prepared = true): pg.QueryConfig {
  if (!prepared) return { text, values };
  let name = statementNames.get(text);
  if (!name && statementNames.size < 1000) statementNames.set(text, (name = `s${statementNames.size}`));
  return { name, text, values };
}

/** Runs one statement outside any transaction. Raw SQL lives in load files, core and set-based files, with orgId bound. */
export const sql: Query = async (text, values = [], prepared) => (await pool().query(statement(text, values, prepared))).rows;

/**
 * The same on a few connections apart, for claiming from queues and recording in them: a rush of requests does not hold them up,
 * and they are read by index alone, since a plan made while a queue was empty is kept when a million rows have come.
 */
export const queueSql: Query = async (text, values = [], prepared) => (await queuePool().query(statement(text, values, prepared))).rows;

/** The connections of queueSql. */
export function queuePool(): pg.Pool {
  return (shared.queuePool ??= createPool(8, "-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off"));
}

/** Prisma outside any transaction, for queries. */
export function db(): Db {
  return (shared.prisma ??= guardTenancy(new PrismaClient({ adapter: new PrismaPg(pool()) })));
}

/** Where a query reads: in the caller's transaction, if there is one. */
export function reading(ctx: { tx?: Tx }): { sql: Query; db: Db } {
  return ctx.tx ?? { sql, db: db() };
}

const prismaOf = new WeakMap<pg.ClientBase, Db>();

/**
 * A transaction on one connection, with two faces: statements of our own, and Prisma. Both see and do the same work.
 * What is sent in one turn of the event loop leaves in one packet, BEGIN with the first statement and COMMIT with the last:
 * a round trip and its system calls cost more than most statements do.
 */
export class Tx {
  private topics = new Set<NudgeTopic>();
  private savepoints = 0;
  private begun = false;
  private gathering = false;
  private ended = false;
  private committing: Promise<pg.QueryResult> | undefined;
  /** What a statement that nobody waits for failed with. PostgreSQL refuses all that follows it, COMMIT too. */
  private failure: Error | undefined;

  constructor(private readonly connection: pg.PoolClient) {}

  sql: Query = async (text, values = [], prepared) => (await this.open().query(statement(text, values, prepared))).rows;

  /** Sends a statement without waiting for it. Where it fails, the transaction does, with that error. */
  send(text: string, values: unknown[] = []): void {
    this.open();
    this.dispatch(statement(text, values));
  }

  /**
   * As `sql`, for the last statement: COMMIT leaves in the same packet. Where all before it was sent and not waited for, a process
   * that stands still, or is cut off, holds no lock that others wait for.
   */
  last: Query = async (text, values = [], prepared) => {
    const done = this.open().query(statement(text, values, prepared));
    this.committing = this.connection.query("COMMIT");
    this.committing.catch(() => undefined);
    this.ended = true;
    return (await done).rows;
  };

  get db(): Db {
    const connection = this.open();
    let prisma = prismaOf.get(connection);
    if (!prisma) {
      // One client a connection, made at first use: 7 ms and some megabytes, then as fast as any (server/DECISIONS.md).
      prisma = guardTenancy(new PrismaClient({ adapter: new PrismaPg(new OneConnection(connection)) }));
      prismaOf.set(connection, prisma);
    }
    return prisma;
  }

  /** Wakes the engine for this topic once the transaction has committed. */
  nudgeAfterCommit(topic: NudgeTopic): void {
    this.topics.add(topic);
  }

  /** Does `work`; where it throws, undoes that work alone and throws on. */
  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    const name = `sp${++this.savepoints}`;
    this.open();
    this.dispatch(`SAVEPOINT ${name}`);
    try {
      const result = await work();
      this.open();
      this.dispatch(`RELEASE SAVEPOINT ${name}`);
      return result;
    } catch (error) {
      const undone = await this.open().query(`ROLLBACK TO SAVEPOINT ${name}`).then(() => true, () => false);
      const first = this.failure ?? error;
      // Where it is not undone, the connection is gone, and the transaction with it, for the reason that the work met with.
      if (undone) this.failure = undefined;
      throw first;
    }
  }

  /** @throws what made PostgreSQL undo it. */
  async commit(): Promise<void> {
    if (this.begun) {
      const { command } = await (this.committing ?? this.open().query("COMMIT"));
      // PostgreSQL answers the COMMIT of a transaction in which a statement failed with ROLLBACK, not with an error.
      if (command !== "COMMIT") throw this.failure ?? new Error("The transaction was rolled back: a failed statement was not undone by a savepoint.");
    }
    this.ended = true;
    for (const topic of this.topics) nudge(topic);
  }

  async rollback(): Promise<void> {
    this.ended = true;
    if (this.begun) await this.connection.query("ROLLBACK");
  }

  /** What failed first, where `error` is what the work ended with. */
  causeOf(error: unknown): unknown {
    return this.failure ?? error;
  }

  private open(): pg.PoolClient {
    // What outlives its transaction would run on its own, on a connection that is somebody else's by now.
    if (this.ended) throw new Error("The transaction has ended; nothing can be done in it any more.");
    this.gather();
    if (!this.begun) {
      this.begun = true;
      this.dispatch("BEGIN");
    }
    return this.connection;
  }

  private dispatch(query: string | pg.QueryConfig): void {
    this.connection.query(query).catch((error: Error) => (this.failure ??= error));
  }

  private gather(): void {
    if (this.gathering) return;
    this.gathering = true;
    const { stream } = (this.connection as pg.PoolClient & Pick<pg.Client, "connection">).connection;
    stream.cork();
    process.nextTick(() => {
      this.gathering = false;
      stream.uncork();
    });
  }
}

/** Runs `work` in a transaction: all of it, or none. On the queues' connections where it works on one. */
export async function transaction<T>(work: (tx: Tx) => Promise<T>, connections = pool()): Promise<T> {
  const connection = await connections.connect();
  const tx = new Tx(connection);
  let broken: Error | undefined;
  try {
    const result = await work(tx);
    await tx.commit();
    return result;
  } catch (error) {
    await tx.rollback().catch((e: Error) => (broken = e));
    throw tx.causeOf(error);
  } finally {
    connection.release(broken);
  }
}

/** True for what PostgreSQL throws where a row would repeat a unique key: also where another transaction took it a moment before. */
export function isUniqueViolation(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === "23505";
}

export async function closeDb(): Promise<void> {
  const ending = [shared.pool, shared.queuePool];
  delete shared.pool;
  delete shared.queuePool;
  delete shared.prisma;
  await Promise.all(ending.map((each) => each?.end()));
}
