import { randomUUID } from "node:crypto";
import { sql } from "./sql";

/**
 * Makes the database refuse to write some rows of a table, for a test in a database of its own.
 *
 * @param condition SQL about the row `new`, or `old` for a deletion
 * @returns a function that allows these writes again
 */
export async function refuseWrites(
  on: "INSERT" | "UPDATE" | "DELETE",
  table: string,
  condition: string,
): Promise<() => Promise<unknown>> {
  const name = `refuse_${randomUUID().replaceAll("-", "")}`;
  await sql(`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$`);
  await sql(
    `CREATE TRIGGER ${name} BEFORE ${on} ON ${table} FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION ${name}()`,
  );
  return () => sql(`DROP FUNCTION ${name} CASCADE`);
}
