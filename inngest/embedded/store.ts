import pg from "pg";

/** Where runs are kept, and what time it is there. */
export interface Store {
  /** For what must not be lost once it is said to be done: events sent, ticks taken. */
  durable: pg.Pool;
  /** For the work on runs: connections of the engine's own, so that functions that need all others do not stop it. */
  work: pg.Pool;
  /**
   * A driven clock. Null, and the database's clock rules: all processes have it in common, so that leases do not depend
   * on theirs.
   */
  now(): Date | null;
}

export function openStore(pool: pg.Pool, now: (() => Date) | undefined): Store {
  const { options = "", ...rest } = pool.options;
  // What a crash of the database takes back here, at most the last second, was done and is done again, as after any
  // crash: not waiting for the disk costs nothing but doubles the runs a second. A plan made while the tables were
  // empty would read all of them when they are full.
  const byIndex = "-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off";
  const work = new pg.Pool({ ...rest, max: 4, options: `${options} -c synchronous_commit=off ${byIndex}` });
  work.on("error", () => undefined);
  return { durable: pool, work, now: () => now?.() ?? null };
}

/** One statement, prepared under its name once a connection. In its text, `$now` is the time. */
export async function query<Row extends object>(
  store: Store,
  kind: "durable" | "work",
  name: string,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const now = `(SELECT coalesce($${values.length + 1}::timestamptz, clock_timestamp()))`;
  const timed = text.includes("$now");
  const { rows } = await store[kind].query<Row>({
    name: `engine.${name}`,
    text: text.replaceAll("$now", now),
    values: timed ? [...values, store.now()] : values,
  });
  return rows;
}

/** SQL for a number of milliseconds as an interval. */
export function milliseconds(expression: string): string {
  return `${expression}::float8 * interval '1 millisecond'`;
}
