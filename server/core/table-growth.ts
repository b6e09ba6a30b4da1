import { pool } from "./db";
import { log } from "./log";

/**
 * Rows that this process writes to a table before it has it analysed for the first time; then twice as many each time.
 */
const firstAfter = 1000;

const growth = new Map<string, { rows: number; next: number }>();

/**
 * Counts rows that were committed, and has PostgreSQL analyse a table when they have doubled. A connection keeps the
 * plans that it made while a table was empty, when any index seems as good as the primary key, until the table is
 * analysed; autovacuum takes a minute or two, in which an import writes a hundred thousand rows (docs/decisions/143).
 * Nobody waits for it.
 */
export function noteGrowth(table: string, rows: number): void {
  const known = growth.get(table) ?? { rows: 0, next: firstAfter };
  growth.set(table, known);
  known.rows += rows;
  if (known.rows < known.next) return;
  while (known.next <= known.rows) known.next *= 2;
  // Another process that analyses it at this moment does so for all.
  pool()
    .query(`ANALYZE (SKIP_LOCKED) ${table}`)
    .catch((error: unknown) =>
      log().warn({ err: error, table }, "a table that has grown could not be analysed; autovacuum does so later"),
    );
}
