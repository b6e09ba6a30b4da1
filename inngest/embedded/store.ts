import pg from "pg";

/** The connections to the database that holds the runs, and its clock. */
export interface Store {
  /** For writes that must survive a crash once they are acknowledged: events sent, ticks taken. */
  durable: pg.Pool;
  /** For the work on runs. Only the engine uses these connections, so it continues when functions use up all others. */
  work: pg.Pool;
  /**
   * The time of a clock that a test drives; null to use the database's clock. Since all processes share the database's
   * clock, leases do not depend on the clocks of the processes.
   */
  now(): Date | null;
}

export function openStore(pool: pg.Pool, now: (() => Date) | undefined): Store {
  const { options = "", ...rest } = pool.options;
  // synchronous_commit=off doubles the runs per second. A crash of the database loses at most the last second of this
  // work, and it is done again, as after any crash (decision 010).
  // Index scans are forced because a prepared plan that was made while the tables were empty would scan them whole once
  // they are full.
  const byIndex = "-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off";
  const work = new pg.Pool({ ...rest, max: 4, options: `${options} -c synchronous_commit=off ${byIndex}` });
  work.on("error", () => undefined);
  return { durable: pool, work, now: () => now?.() ?? null };
}

/**
 * Runs one statement, prepared once per connection under its name. `$now` in the text is replaced by the current time.
 */
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

/** Returns SQL that turns a number of milliseconds into an interval. */
export function milliseconds(expression: string): string {
  return `${expression}::float8 * interval '1 millisecond'`;
}
