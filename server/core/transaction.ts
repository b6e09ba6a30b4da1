import type pg from "pg";
import { pool, statement, type Query } from "./db";
import { nudge, type NudgeTopic } from "./nudge";
import { inTransaction } from "./organisation-share";
import { leasePrisma, type PrismaLease } from "./prisma-clients";
import { noteGrowth } from "./table-growth";
import type { Db } from "./tenancy-guard";

// Commands work on rows by key, and PostgreSQL must not plan them with the organisation's id at hand: to an
// organisation that is in no statistics yet, any index that begins with org_id seems the cheapest, and one credential
// by its id, or one foreign key, then reads the whole organisation (docs/decisions/143).
const begin = "BEGIN; SET LOCAL plan_cache_mode = force_generic_plan";

/**
 * A transaction on one connection, with two faces: statements of our own, and Prisma. Both see and do the same work.
 * What is sent in one turn of the event loop leaves in one packet, BEGIN with the first statement and COMMIT with the
 * last: a round trip and its system calls cost more than most statements do.
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
   * As `sql`, for the last statement: COMMIT leaves in the same packet. Where all before it was sent and not waited
   * for, a process that stands still, or is cut off, holds no lock that others wait for.
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
   * Wakes the engine for this topic once the transaction has committed; with `at`, at the earliest of the instants
   * given.
   */
  nudgeAfterCommit(topic: NudgeTopic, at?: Date): void {
    const known = this.topics.get(topic);
    if (this.topics.has(topic) && (!known || (at && at >= known))) return;
    this.topics.set(topic, at);
  }

  /** Says that rows were inserted, so that PostgreSQL analyses a table that has grown. */
  wrote(table: string, rows: number): void {
    this.written.set(table, (this.written.get(table) ?? 0) + rows);
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
      const undone = await this.open()
        .query(`ROLLBACK TO SAVEPOINT ${name}`)
        .then(
          () => true,
          () => false,
        );
      const first = this.failure ?? error;
      // Where it is not undone, the connection is gone, and the transaction with it, for the reason that the work met
      // with.
      if (undone) this.failure = undefined;
      throw first;
    }
  }

  /** @throws what made PostgreSQL undo it. */
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

  /** Gives back what it holds beside its connection, once it has ended. */
  release({ committed }: { committed: boolean }): void {
    this.prisma?.end({ reusable: committed });
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
      this.dispatch(begin);
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
  let committed = false;
  try {
    const result = await inTransaction(() => work(tx));
    await tx.commit();
    committed = true;
    return result;
  } catch (error) {
    await tx.rollback().catch((e: Error) => (broken = e));
    throw tx.causeOf(error);
  } finally {
    tx.release({ committed });
    connection.release(broken);
  }
}
