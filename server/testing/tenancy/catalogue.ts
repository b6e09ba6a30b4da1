import pg from "pg";
import type { Catalogue } from "./unbound-tables";

/** Reads the tables of a database with their columns from PostgreSQL's catalogue. */
export async function readCatalogue(connectionString: string): Promise<Catalogue> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ table: string; columns: string[] }>(
      `SELECT c.relname::text AS "table", array_agg(a.attname::text ORDER BY a.attnum) AS columns
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm') GROUP BY c.relname`,
    );
    return new Map(rows.map(({ table, columns }) => [table, columns]));
  } finally {
    await client.end();
  }
}
