import { pool } from "./db";
import { log } from "./log";

/**
 * How many rows this process writes to a table before it analyses the table for the first time; then twice as many each
 * time.
 */
const firstAfter = 1000;

const growth = new Map<string, { rows: number; next: number }>();

/**
 * Counts committed rows, and runs ANALYZE on a table when they have doubled, without waiting for it. While a table is
 * empty, every index seems as good as the primary key, and connections keep the plans from that time until the table is
 * analysed. Autovacuum takes a minute or two to do so, in which an import writes a hundred thousand rows
 * (docs/decisions/143).
 */
export function noteGrowth(table: string, rows: number): void {
  const known = growth.get(table) ?? { rows: 0, next: firstAfter };
  growth.set(table, known);
  known.rows += rows;
  if (known.rows < known.next) return;
  while (known.next <= known.rows) known.next *= 2;
  // SKIP_LOCKED: if another process is analysing the table, that is enough.
  pool()
    .query(`ANALYZE (SKIP_LOCKED) ${table}`)
    .catch((error: unknown) =>
      log().warn({ err: error, table }, "a table that has grown could not be analysed; autovacuum does so later"),
    );
}
