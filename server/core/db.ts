import { AsyncLocalStorage } from "node:async_hooks";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { env } from "./env";
import { PrismaClient } from "./generated/client";
import { SharedPool } from "./organisation-share";
import { processState } from "./process-state";
import { masters } from "./secrets";
import { guardTenancy, type Db } from "./tenancy-guard";

/**
 * Rows of a parametrised statement. It is prepared unless `prepared` is false: for what PostgreSQL must plan with the
 * values in hand, such as a search whose words may match one row or all.
 */
export type Query = <Row extends object>(text: string, values?: unknown[], prepared?: boolean) => Promise<Row[]>;

interface Shared {
  pool?: pg.Pool;
  backgroundPool?: pg.Pool;
  readinessPool?: pg.Pool;
  queuePool?: pg.Pool;
  prisma?: Db;
  /** Set within asBackground. */
  background: AsyncLocalStorage<true>;
  /** The name under which each statement text is prepared. */
  statementNames: Map<string, string>;
}
const shared = processState(
  "database",
  (): Shared => ({ background: new AsyncLocalStorage(), statementNames: new Map() }),
);
const { background, statementNames } = shared;

// bigint columns hold sequences and counts, far below 2^53.
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    oid === pg.types.builtins.INT8
      ? Number
      : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig["getTypeParser"],
};

/** The connections for requests or, inside asBackground, those for jobs. */
export function pool(): pg.Pool {
  if (background.getStore())
    return (shared.backgroundPool ??= createBoundedPool(env().DATABASE_URL, 6, backgroundTimeoutMs));
  const { DATABASE_URL, DATABASE_POOL, DATABASE_TIMEOUT_SECONDS } = env();
  // Half for one organisation, so that the others are served whatever it asks.
  return (shared.pool ??= createBoundedPool(
    DATABASE_URL,
    DATABASE_POOL,
    DATABASE_TIMEOUT_SECONDS * 1000,
    Math.floor(DATABASE_POOL / 2),
  ));
}

/** One connection for readiness alone, so that a busy pool does not make the process look broken. */
export function readinessPool(): pg.Pool {
  return (shared.readinessPool ??= createBoundedPool(env().DATABASE_URL, 1, 2_000));
}

/** A statement over whole sets, such as a retention sweep, takes seconds to minutes. */
const backgroundTimeoutMs = 10 * 60_000;

/**
 * Runs a job on connections of its own, with time for long statements. Requests and jobs do not wait for each other's
 * connections.
 */
export function asBackground<T>(work: () => T): T {
  return background.run(true, work);
}

/**
 * A pool whose statements end after `timeoutMs`: PostgreSQL cancels them, and where it does not answer at all the
 * client gives up a little later and drops the connection. Both are answered as 503, see unavailable.ts. A connection
 * attempt ends in the same way.
 * @param share connections that one organisation may hold at once.
 */
export function createBoundedPool(connectionString: string, max: number, timeoutMs: number, share?: number): pg.Pool {
  return createPool(
    {
      connectionString,
      max,
      options: `-c statement_timeout=${timeoutMs}`,
      query_timeout: timeoutMs + clientGraceMs,
      connectionTimeoutMillis: Math.min(timeoutMs, 10_000),
    },
    share,
  );
}

/**
 * How much later the client gives up than PostgreSQL: a cancelled statement keeps its connection, an abandoned one
 * costs it.
 */
const clientGraceMs = 1_000;

function createPool(config: pg.PoolConfig, share?: number): pg.Pool {
  const complete: pg.PoolConfig = {
    connectionTimeoutMillis: 10_000,
    // Tells connections of a server that runs with another master secret: `secret reencrypt` waits for them.
    application_name: `bonafide ${masters()[0]!.id.toString("hex")}`,
    ...config,
    // Finds out an idle connection whose database vanished without a word. One that waits for an answer is bounded by
    // query_timeout: Linux would give up after a quarter of an hour.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types,
    // A statement is sent without waiting for the answer to the one before it: see Tx (transaction.ts).
    pipeline: true,
    // A transaction whose client died must not hold its locks for minutes. Nor may a plan that was made while a table
    // was small read all of it when it is large: every statement has an index.
    options: `-c client_connection_check_interval=1s -c idle_in_transaction_session_timeout=60s -c enable_seqscan=off ${config.options ?? ""}`,
  };
  const created = share === undefined ? new pg.Pool(complete) : new SharedPool(complete, share);
  // A connection that breaks fails what it was asked, and the pool replaces it; without listeners, of the pool for one
  // that is idle and of its own for one in use, it would end the process.
  created.on("error", () => undefined);
  created.on("connect", (connection) => connection.on("error", () => undefined));
  return created;
}

/**
 * A parametrised statement as it is sent. Each text is prepared under a name of its own, once per connection. Texts are
 * constants or built from a few variants; the bound of 1,000 names keeps a mistake from filling PostgreSQL's memory.
 */
export function statement(text: string, values: unknown[], prepared = true): pg.QueryConfig {
  if (!prepared) return { text, values };
  let name = statementNames.get(text);
  if (!name && statementNames.size < 1000) statementNames.set(text, (name = `s${statementNames.size}`));
  return { name, text, values };
}

/**
 * Runs one statement outside any transaction. It binds org_id, or its file is listed in
 * server/testing/tenancy/exceptions.ts: the tests check each statement that they run.
 */
export const sql: Query = async (text, values = [], prepared) =>
  (await pool().query(statement(text, values, prepared))).rows;

/**
 * The same on a few connections apart, for claiming from queues and recording in them: a rush of requests does not hold
 * them up, and they are read by index alone, since a plan made while a queue was empty is kept when a million rows have
 * come.
 */
export const queueSql: Query = async (text, values = [], prepared) =>
  (await queuePool().query(statement(text, values, prepared))).rows;

/** The connections of queueSql. */
export function queuePool(): pg.Pool {
  return (shared.queuePool ??= createQueuePool(env().DATABASE_URL, 30_000));
}

/**
 * @param deadline in milliseconds, for the answer to a statement: longer than any takes, since the connection is then
 *   given up. So deliveries go on soon after a database vanished without a word; what was claimed or recorded is done
 *   again.
 */
export function createQueuePool(connectionString: string, deadline: number): pg.Pool {
  const options = "-c enable_hashjoin=off -c enable_mergejoin=off -c plan_cache_mode=force_generic_plan";
  return createPool({ connectionString, max: 8, options, query_timeout: deadline });
}

/** Prisma outside any transaction, for queries. */
export function db(): Db {
  return (shared.prisma ??= guardTenancy(new PrismaClient({ adapter: new PrismaPg(pool()) })));
}

interface Readable {
  readonly sql: Query;
  readonly db: Db;
}

/** Where a query reads: in the caller's transaction, if there is one. */
export function reading(ctx: { tx?: Readable }): Readable {
  return ctx.tx ?? { sql, db: db() };
}

/**
 * True for what PostgreSQL throws where a row would repeat a unique key: also where another transaction took it a
 * moment before.
 */
export function isUniqueViolation(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === "23505";
}

export async function closeDb(): Promise<void> {
  const ending = [shared.pool, shared.queuePool, shared.backgroundPool, shared.readinessPool];
  delete shared.pool;
  delete shared.backgroundPool;
  delete shared.readinessPool;
  delete shared.queuePool;
  delete shared.prisma;
  await Promise.all(ending.map((each) => each?.end()));
}
