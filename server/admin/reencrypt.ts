import { sql } from "@/server/core/db";
import { decrypt, encrypt, fingerprintOf, masters, prefixOf } from "@/server/core/secrets";
import { sealedColumns, shortLivedColumns, type SealedColumn } from "./sealed-columns";

export interface Reencryption {
  /** Values that were encrypted with the previous secret, or in the form before key ids, and are no more. */
  reencrypted: number;
  /** Values that no configured secret opens, by `table.column`. */
  unreadable: Record<string, number>;
  /** Values that go away by themselves within hours and still need the previous secret. */
  shortLived: number;
  /** Database connections of servers that still run with another secret. */
  connectionsOfOthers: number;
  /** Whether nothing needs the previous secret any more. */
  done: boolean;
}

const batch = 500;

/**
 * Encrypts everything stored with the master secret in use. Changes nothing while a server runs with another secret.
 * What is done is told by its first bytes, so a run that is cut off goes on where it was, and a value that changes
 * meanwhile is left alone: it is new.
 */
export async function reencryptAll(): Promise<Reencryption> {
  const [current] = masters();
  // They do not know the secret in use, and could not read what is encrypted with it.
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

/** Each connection names its master secret, see db.ts. */
export async function countConnectionsOfOthers(): Promise<number> {
  const [row] = await sql<{ n: number }>(
    `SELECT count(*) AS n FROM pg_stat_activity
     WHERE datname = current_database() AND application_name LIKE 'bonafide %' AND application_name <> current_setting('application_name')`,
  );
  return row!.n;
}
