import { AsyncLocalStorage } from "node:async_hooks";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { env } from "./env";
import { PrismaClient } from "./generated/client";
import { SharedPool } from "./organisation-share";
import { processState } from "./process-state";
import { masters } from "./secrets";
import { guardTenancy, type Db } from "./tenancy-guard";
import { yieldToRequests } from "./yielding";

/**
 * Runs a parametrised statement and returns its rows. It is prepared unless `prepared` is false, for statements whose
 * best plan depends on the values, such as a search whose words may match one row or all.
 */
export type Query = <Row extends object>(text: string, values?: unknown[], prepared?: boolean) => Promise<Row[]>;

interface Shared {
  pool?: pg.Pool;
  backgroundPool?: pg.Pool;
  readinessPool?: pg.Pool;
  queuePool?: pg.Pool;
  prisma?: Db;
  /** Set inside asBackground. */
  background: AsyncLocalStorage<true>;
  /** The name under which each statement text is prepared. */
  statementNames: Map<string, string>;
}
const shared = processState(
  "database",
  (): Shared => ({ background: new AsyncLocalStorage(), statementNames: new Map() }),
);
const { background, statementNames } = shared;

// Read bigint as a number: the columns hold sequences and counts, far below 2^53.
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    oid === pg.types.builtins.INT8
      ? Number
      : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig["getTypeParser"],
};

/** The connections for requests or, inside asBackground, those for jobs. */
export function pool(): pg.Pool {
  if (background.getStore())
    return (shared.backgroundPool ??= yielding(createBoundedPool(env().DATABASE_URL, 6, backgroundTimeoutMs)));
  const { DATABASE_URL, DATABASE_POOL, DATABASE_TIMEOUT_SECONDS } = env();
  // One organisation gets at most half, so that connections remain for the others.
  return (shared.pool ??= createBoundedPool(
    DATABASE_URL,
    DATABASE_POOL,
    DATABASE_TIMEOUT_SECONDS * 1000,
    Math.floor(DATABASE_POOL / 2),
  ));
}

/** A pool of one connection for the readiness check, so that a busy pool does not make the process look broken. */
export function readinessPool(): pg.Pool {
  return (shared.readinessPool ??= createBoundedPool(env().DATABASE_URL, 1, 2_000));
}

/** The time limit of a job's statement. A statement over whole sets, such as a retention sweep, can take minutes. */
const backgroundTimeoutMs = 10 * 60_000;

/**
 * Runs work on the connections of jobs, which allow long statements. Requests and jobs never wait for each other's
 * connections.
 */
export function asBackground<T>(work: () => T): T {
  return background.run(true, work);
}

/**
 * Creates a pool whose statements and connection attempts end after `timeoutMs`. PostgreSQL cancels the statement; if
 * it does not answer at all, the client gives up a little later and drops the connection. Both become 503
 * (unavailable.ts).
 * @param share how many connections one organisation may hold at once
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
 * How much later than PostgreSQL the client gives up. PostgreSQL should be first, because a cancelled statement keeps
 * its connection, and an abandoned one loses it.
 */
const clientGraceMs = 1_000;

function createPool(config: pg.PoolConfig, share?: number): pg.Pool {
  const complete: pg.PoolConfig = {
    connectionTimeoutMillis: 10_000,
    // Identifies the master secret of the server: `secret reencrypt` waits until no connection has another one.
    application_name: `bonafide ${masters()[0]!.id.toString("hex")}`,
    ...config,
    // Detects that the database of an idle connection vanished silently. A connection that waits for an answer is
    // bounded by query_timeout, since Linux gives up only after a quarter of an hour.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types,
    // A statement is sent without waiting for the answer to the one before it: see Tx (transaction.ts).
    pipeline: true,
    // A transaction whose client died must not hold its locks for minutes. Sequential scans are off because a plan that
    // was made while a table was small would read all of it when it is large; every statement has an index.
    options: `-c client_connection_check_interval=1s -c idle_in_transaction_session_timeout=60s -c enable_seqscan=off ${config.options ?? ""}`,
  };
  const created = share === undefined ? new pg.Pool(complete) : new SharedPool(complete, share);
  // A broken connection fails its statements, and the pool replaces it. Without these listeners, its error event would
  // end the process: the pool emits it for an idle connection, the connection itself while it is in use.
  created.on("error", () => undefined);
  created.on("connect", (connection) => connection.on("error", () => undefined));
  return created;
}

/**
 * Makes the pg query of a parametrised statement. Each text is prepared under its own name, once per connection. Texts
 * are constants or built from a few variants; the limit of 1,000 names keeps a mistake from filling PostgreSQL's
 * memory.
 */
export function statement(text: string, values: unknown[], prepared = true): pg.QueryConfig {
  if (!prepared) return { text, values };
  let name = statementNames.get(text);
  if (!name && statementNames.size < 1000) statementNames.set(text, (name = `s${statementNames.size}`));
  return { name, text, values };
}

/**
 * Runs one statement outside any transaction. It must bind org_id, unless its file is listed in
 * server/testing/tenancy/exceptions.ts: tests check every statement that they run.
 */
export const sql: Query = async (text, values = [], prepared) =>
  (await pool().query(statement(text, values, prepared))).rows;

/**
 * Runs one statement on the separate connections of queues, to claim rows and record results. A rush of requests does
 * not delay them. Their plans use only indexes, because a plan that was made while a queue was empty is kept when it
 * has a million rows.
 */
export const queueSql: Query = async (text, values = [], prepared) =>
  (await queuePool().query(statement(text, values, prepared))).rows;

/** The pool of queueSql. */
export function queuePool(): pg.Pool {
  return (shared.queuePool ??= createQueuePool(env().DATABASE_URL, 30_000));
}

/**
 * Creates the pool of queues.
 * @param deadline in milliseconds, for the answer to a statement; then the connection is dropped, so it must be longer
 *   than any statement takes. So deliveries resume soon after the database vanished silently; lost claims and records
 *   are repeated.
 */
export function createQueuePool(connectionString: string, deadline: number): pg.Pool {
  const options = "-c enable_hashjoin=off -c enable_mergejoin=off -c plan_cache_mode=force_generic_plan";
  return yielding(createPool({ connectionString, max: 8, options, query_timeout: deadline }));
}

function yielding(connections: pg.Pool): pg.Pool {
  return connections.on("connect", yieldToRequests);
}

/** Prisma outside any transaction, for queries. */
export function db(): Db {
  return (shared.prisma ??= guardTenancy(new PrismaClient({ adapter: new PrismaPg(pool()) })));
}

interface Readable {
  readonly sql: Query;
  readonly db: Db;
}

/** Returns the caller's transaction for reading if there is one, else the pool. */
export function reading(ctx: { tx?: Readable }): Readable {
  return ctx.tx ?? { sql, db: db() };
}

/**
 * Whether an error is PostgreSQL's unique violation. It can occur even after a check, if another transaction inserts
 * the same key in between.
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
