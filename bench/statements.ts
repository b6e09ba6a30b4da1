import pg from "pg";
import { closeDb, sql } from "@/server/core/db";
import { createDispatcher } from "@/server/http/web/dispatch";
import { percentile, type Pace } from "./measure";

/** One statement as it was sent: its text, its values and the name under which it is prepared. */
type Statement = pg.QueryConfig;

export interface ApiCall {
  method: string;
  path: string;
  token: string;
  body: unknown;
  headers?: Record<string, string>;
}

/**
 * Serves requests in this process, one after the other, and records what each sends to PostgreSQL. A bare loop can then
 * send the same statements, so the reference always matches the code.
 */
export async function recordStatements(calls: ApiCall[]): Promise<Statement[][]> {
  await waitForDisk(false);
  const dispatch = createDispatcher();
  const recorded: Statement[][] = [];
  const stop = onEachQuery((statement) => recorded.at(-1)!.push(statement));
  try {
    for (const { method, path, token, body, headers } of calls) {
      recorded.push([]);
      const init = {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      };
      const response = await dispatch(new Request(`http://localhost${path}`, init));
      if (response.status >= 300)
        throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    }
  } finally {
    stop();
    await waitForDisk(true);
  }
  return recorded;
}

/** Runs `work` in this process and records the statements that it sends, in their order. */
export async function recordWork(work: () => Promise<void>): Promise<Statement[]> {
  const recorded: Statement[] = [];
  const stop = onEachQuery((statement) => recorded.push(statement));
  await work().finally(stop);
  return recorded;
}

/** Sends statements over one bare connection, one after the other. @returns seconds */
export async function replayOnce(databaseUrl: string, recorded: Statement[]): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const started = performance.now();
  for (const statement of recorded) await client.query(statement);
  const seconds = (performance.now() - started) / 1000;
  await client.end();
  return seconds;
}

/**
 * Turns waiting for the disk at commit on or off, for connections made from now on. Recording is not measured, and
 * without waiting for the disk it takes a third of the time.
 */
async function waitForDisk(wait: boolean): Promise<void> {
  const [own] = await sql<{ name: string }>(`SELECT quote_ident(current_database()) AS name`);
  await sql(`ALTER DATABASE ${own!.name} ${wait ? "RESET synchronous_commit" : "SET synchronous_commit = off"}`);
  await closeDb();
}

function onEachQuery(note: (statement: Statement) => void): () => void {
  const own = pg.Client.prototype.query;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [statement, values] = args as [string | Statement, unknown[] | undefined];
    note(
      typeof statement === "string"
        ? { text: statement, ...(values && { values }) }
        : { name: statement.name!, text: statement.text, values: statement.values! },
    );
    return (own as (...args: unknown[]) => unknown).apply(this, args);
  } as typeof own;
  return () => {
    pg.Client.prototype.query = own;
  };
}

/**
 * Sends recorded statements over bare pg on `lanes` connections, a call's statements one after the other. The first
 * fifth is not measured.
 */
export async function replay(databaseUrl: string, lanes: number, recorded: Statement[][]): Promise<Pace> {
  const clients = Array.from({ length: lanes }, () => new pg.Client({ connectionString: databaseUrl }));
  await Promise.all(clients.map((client) => client.connect()));
  const warmUp = Math.floor(recorded.length / 5);
  const taken: number[] = [];
  let next = 0;
  let started = 0;
  let cpuBefore = process.cpuUsage();
  await Promise.all(
    clients.map(async (client) => {
      while (next < recorded.length) {
        const statements = recorded[next++]!;
        if (next === warmUp) [started, cpuBefore] = [performance.now(), process.cpuUsage()];
        const began = performance.now();
        for (const statement of statements) await client.query(statement);
        taken.push(performance.now() - began);
      }
    }),
  );
  const [seconds, { user, system }] = [(performance.now() - started) / 1000, process.cpuUsage(cpuBefore)];
  await Promise.all(clients.map((client) => client.end()));
  const calls = recorded.length - warmUp;
  return { rate: calls / seconds, cpu: (user + system) / 1000 / calls, p99: percentile(taken.slice(warmUp), 0.99) };
}
