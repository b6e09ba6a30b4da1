import { sql } from "@/server/core/db";
import { decrypt, encrypt, fingerprintOf, masters, prefixOf } from "@/server/core/secrets";
import { sealedColumns, shortLivedColumns, type SealedColumn } from "./sealed-columns";

export interface Reencryption {
  /** Number of values that this run re-encrypted: they used the previous secret, or the format before key ids. */
  reencrypted: number;
  /** Number of values that no configured secret opens, by `table.column`. */
  unreadable: Record<string, number>;
  /** Number of values that still need the previous secret but expire within hours. */
  shortLived: number;
  /** Number of database connections of servers that still run with another secret. */
  connectionsOfOthers: number;
  /** True if nothing needs the previous secret any more. */
  done: boolean;
}

const batch = 500;

/**
 * Re-encrypts all stored values with the current master secret. Changes nothing while a server runs with another
 * secret.
 * The first bytes of a value show which secret it uses, so an interrupted run continues where it stopped. A value that
 * changes meanwhile is left alone: it is already encrypted with the current secret.
 */
export async function reencryptAll(): Promise<Reencryption> {
  const [current] = masters();
  // Servers with another secret could not read values encrypted with the current one.
  const others = await countConnectionsOfOthers();
  if (others > 0) return { reencrypted: 0, unreadable: {}, shortLived: 0, connectionsOfOthers: others, done: false };
  const prefix = prefixOf(current!);
  let reencrypted = 0;
  const unreadable: Record<string, number> = {};
  for (const column of sealedColumns) {
    const outcome = await reencrypt(column, prefix);
    reencrypted += outcome.reencrypted;
    if (outcome.unreadable > 0) unreadable[`${column.table}.${column.column}`] = outcome.unreadable;
  }
  let shortLived = 0;
  for (const { table, column } of shortLivedColumns) {
    const [row] = await sql<{ n: number }>(
      `SELECT count(*) AS n FROM ${table} WHERE substring(${column} FROM 1 FOR 5) <> $1`,
      [prefix],
    );
    shortLived += row!.n;
  }
  const connectionsOfOthers = await countConnectionsOfOthers();
  const done = Object.keys(unreadable).length === 0 && shortLived === 0 && connectionsOfOthers === 0;
  if (done)
    await sql(
      `UPDATE master_secret SET previous = NULL, changed_at = now() WHERE fingerprint = $1 AND previous IS NOT NULL`,
      [fingerprintOf(current!.secret)],
    );
  return { reencrypted, unreadable, shortLived, connectionsOfOthers, done };
}

async function reencrypt(
  { table, column, key, boundTo }: SealedColumn,
  prefix: Buffer,
): Promise<{ reencrypted: number; unreadable: number }> {
  const keys = key.join(", ");
  const places = key.map((_, i) => `$${i + 2}`).join(", ");
  let after: string[] | undefined;
  let reencrypted = 0;
  let unreadable = 0;
  for (;;) {
    const rows: Record<string, unknown>[] = await sql(
      `SELECT ${keys}, ${column} AS sealed FROM ${table} WHERE substring(${column} FROM 1 FOR 5) <> $1 ${after ? `AND (${keys}) > (${places})` : ""} ORDER BY ${keys} LIMIT ${batch}`,
      [prefix, ...(after ?? [])],
    );
    for (const row of rows) {
      const id = key.map((name) => String(row[name]));
      after = id;
      const sealed = anew(row["sealed"] as Buffer, boundTo(id));
      if (!sealed) unreadable++;
      else {
        const where = key.map((name, i) => `${name} = $${i + 3}`).join(" AND ");
        reencrypted += (
          await sql(`UPDATE ${table} SET ${column} = $1 WHERE ${column} = $2 AND ${where} RETURNING 1`, [
            sealed,
            row["sealed"],
            ...id,
          ])
        ).length;
      }
    }
    if (rows.length < batch) return { reencrypted, unreadable };
  }
}

function anew(sealed: Buffer, bound: string): Buffer | undefined {
  try {
    return Buffer.from(encrypt(decrypt(sealed, bound), bound));
  } catch {
    return undefined;
  }
}

/**
 * Counts connections of servers with another master secret. Each connection names its secret in application_name
 * (db.ts).
 */
export async function countConnectionsOfOthers(): Promise<number> {
  const [row] = await sql<{ n: number }>(
    `SELECT count(*) AS n FROM pg_stat_activity
     WHERE datname = current_database() AND application_name LIKE 'bonafide %' AND application_name <> current_setting('application_name')`,
  );
  return row!.n;
}
