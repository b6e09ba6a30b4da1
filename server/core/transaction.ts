import type pg from "pg";
import { pool, statement, type Query } from "./db";
import { nudge, type NudgeTopic } from "./nudge";
import { inTransaction } from "./organisation-share";
import { leasePrisma, type PrismaLease } from "./prisma-clients";
import { noteGrowth } from "./table-growth";
import type { Db } from "./tenancy-guard";

// Commands work on rows by key, so they use generic plans, which do not depend on the organisation's id. For an
// organisation that is not in the statistics yet, PostgreSQL rates every index that begins with org_id as cheapest, and
// would read the whole organisation for one credential by id or for one foreign key (docs/decisions/143).
const begin = "BEGIN; SET LOCAL plan_cache_mode = force_generic_plan";

/**
 * The codes with which PostgreSQL refuses statements that follow a failed one: 26000 those that one of them was to
 * prepare. They do not tell the cause.
 */
const consequences = new Set<string | undefined>(["25P02", "26000"]);

/**
 * A transaction on one connection, for both SQL statements and Prisma. Statements that are sent in one turn of the
 * event loop leave in one packet, BEGIN with the first statement and COMMIT with the last: a round trip and its system
 * calls cost more than most statements.
 */
export class Tx {
  private topics = new Map<NudgeTopic, Date | undefined>();
  private readonly written = new Map<string, number>();
  private savepoints = 0;
  private begun = false;
  private gathering = false;
  private ended = false;
  private prisma: PrismaLease | undefined;
  private committing: Promise<pg.QueryResult> | undefined;
  /** The error of a statement from send(). PostgreSQL refuses all statements after it, including COMMIT. */
  private failure: Error | undefined;

  constructor(private readonly connection: pg.PoolClient) {}

  sql: Query = async (text, values = [], prepared) => (await this.open().query(statement(text, values, prepared))).rows;

  /** Sends a statement without waiting for it. If it fails, the transaction fails with its error. */
  send(text: string, values: unknown[] = []): void {
    this.open();
    this.dispatch(statement(text, values));
  }

  /**
   * Like `sql`, for the last statement: COMMIT leaves in the same packet. If all statements before were sent with
   * send(), a process that stalls or loses its connection holds no locks.
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
    return (this.prisma ??= leasePrisma(connection)).client;
  }

  /**
   * Wakes the engine for this topic once the transaction has committed. With `at`, it wakes it at that time; of several
   * calls the earliest time counts.
   */
  nudgeAfterCommit(topic: NudgeTopic, at?: Date): void {
    const known = this.topics.get(topic);
    if (this.topics.has(topic) && (!known || (at && at >= known))) return;
    this.topics.set(topic, at);
  }

  /** Notes inserted rows, so that a table that has grown is analysed after the commit (table-growth.ts). */
  wrote(table: string, rows: number): void {
    this.written.set(table, (this.written.get(table) ?? 0) + rows);
  }

  /** Does `work` in a savepoint. If it throws, only that work is rolled back and the error is thrown again. */
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
      const undone = await this.open()
        .query(`ROLLBACK TO SAVEPOINT ${name}`)
        .then(
          () => true,
          () => false,
        );
      const first = this.failure ?? error;
      // If the rollback failed too, the connection is lost, and the transaction with it; keep the error of the work.
      if (undone) this.failure = undefined;
      throw first;
    }
  }

  /** Commits. @throws the error that made PostgreSQL roll it back */
  async commit(): Promise<void> {
    if (this.begun) {
      const { command } = await (this.committing ?? this.open().query("COMMIT"));
      // PostgreSQL answers the COMMIT of a transaction in which a statement failed with ROLLBACK, not with an error.
      if (command !== "COMMIT")
        throw (
          this.failure ??
          new Error("The transaction was rolled back: a failed statement was not undone by a savepoint.")
        );
    }
    this.ended = true;
    for (const [topic, at] of this.topics) nudge(topic, at);
    for (const [table, rows] of this.written) noteGrowth(table, rows);
  }

  async rollback(): Promise<void> {
    this.ended = true;
    if (this.begun) await this.connection.query("ROLLBACK");
  }

  /** Releases the Prisma client once the transaction has ended. */
  release({ committed }: { committed: boolean }): void {
    this.prisma?.end({ reusable: committed });
  }

  /** The error that failed first, given the `error` with which the work ended. */
  causeOf(error: unknown): unknown {
    return this.failure ?? error;
  }

  private open(): pg.PoolClient {
    // A later statement would run outside any transaction, on a connection that somebody else may use by now.
    if (this.ended) throw new Error("The transaction has ended; nothing can be done in it any more.");
    this.gather();
    if (!this.begun) {
      this.begun = true;
      this.dispatch(begin);
    }
    return this.connection;
  }

  private dispatch(query: string | pg.QueryConfig): void {
    this.connection.query(query).catch((error: Error & { code?: string }) => {
      if (!consequences.has(error.code)) this.failure ??= error;
    });
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

/** Runs `work` in a transaction: all of it, or none. Pass queuePool() as `connections` for work on a queue. */
export async function transaction<T>(work: (tx: Tx) => Promise<T>, connections = pool()): Promise<T> {
  const connection = await connections.connect();
  const tx = new Tx(connection);
  const scope = { isOpen: true };
  let broken: Error | undefined;
  let committed = false;
  try {
    const result = await inTransaction(scope, () => work(tx));
    await tx.commit();
    committed = true;
    return result;
  } catch (error) {
    await tx.rollback().catch((e: Error) => (broken = e));
    throw tx.causeOf(error);
  } finally {
    scope.isOpen = false;
    tx.release({ committed });
    connection.release(broken);
  }
}
