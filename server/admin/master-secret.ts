import pg from "pg";
import { advisoryLocks } from "@/server/core/advisory-locks";
import { decryptWith, fingerprintOf, masterOf, type Master } from "@/server/core/secrets";
import { sealedColumns } from "./sealed-columns";

export interface GivenSecrets {
  /** Undefined if neither the environment nor the data directory has one. */
  current: string | undefined;
  previous: string | undefined;
}

/** Why the service must not start, and what the operator should do. */
export interface SecretRefusal {
  wrong: string;
  todo: string;
}

/**
 * Compares the master secret with the fingerprint in the database. Stores the fingerprint at the first start and when a
 * rotation begins.
 *
 * @returns `settled`; `none` if there is no secret and nothing needs one, so that one may be generated; or a refusal
 */
export async function recordMasterSecret(
  databaseUrl: string,
  { current, previous }: GivenSecrets,
): Promise<"settled" | "none" | SecretRefusal> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("BEGIN");
    // Several processes may start at once.
    await client.query("SELECT pg_advisory_xact_lock($1)", [advisoryLocks.masterSecret]);
    const outcome = await recordOrRefuse(client, current, previous === current ? undefined : previous);
    await client.query("COMMIT");
    return outcome;
  } finally {
    await client.end();
  }
}

/**
 * Compares the master secret with the fingerprint in a database that may not be migrated yet, and writes nothing.
 * Without a stored fingerprint, only recordMasterSecret can decide, after the migrations.
 */
export async function checkMasterSecret(
  databaseUrl: string,
  { current, previous }: GivenSecrets,
): Promise<SecretRefusal | undefined> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ noted: boolean }>("SELECT to_regclass('master_secret') IS NOT NULL AS noted");
    if (!rows[0]!.noted || (await client.query("SELECT FROM master_secret")).rowCount === 0) return undefined;
    await client.query("BEGIN");
    const outcome = await recordOrRefuse(client, current, previous === current ? undefined : previous);
    await client.query("ROLLBACK");
    return typeof outcome === "string" ? undefined : outcome;
  } finally {
    await client.end();
  }
}

interface Noted {
  fingerprint: string;
  previous: string | null;
}

async function recordOrRefuse(
  client: pg.Client,
  current: string | undefined,
  previous: string | undefined,
): Promise<"settled" | "none" | SecretRefusal> {
  const { rows } = await client.query<Noted>("SELECT fingerprint, previous FROM master_secret");
  const [noted] = rows;
  if (current === undefined) return noted || (await hasData(client)) ? missing : "none";
  const mine = fingerprintOf(current);
  const before = previous === undefined ? null : fingerprintOf(previous);
  if (!noted) return adopt(client, [current, previous]);
  if (noted.fingerprint === mine) return noted.previous === null || noted.previous === before ? "settled" : unfinished;
  if (noted.fingerprint === before && (noted.previous === null || noted.previous === mine))
    return note(client, mine, before);
  if (noted.fingerprint === before) return unfinished;
  return noted.previous === mine ? superseded : other;
}

/**
 * Stores the fingerprint of a new database's secret; or, for a database that has none yet, of the secret that opens its
 * encrypted values.
 */
async function adopt(client: pg.Client, given: (string | undefined)[]): Promise<"settled" | SecretRefusal> {
  const known = given.filter((secret) => secret !== undefined);
  const [mine] = known.map((secret) => fingerprintOf(secret));
  const samples = await samplesOf(client);
  if (samples.every((opens) => opens([masterOf(known[0]!)]))) return note(client, mine!, null);
  if (samples.every((opens) => opens(known.map(masterOf)))) return note(client, mine!, fingerprintOf(known[1]!));
  return other;
}

/** Returns, for one value of each encrypted column, a function that tells whether given master secrets open it. */
async function samplesOf(client: pg.Client): Promise<((masters: Master[]) => boolean)[]> {
  const samples: ((masters: Master[]) => boolean)[] = [];
  for (const { table, column, key, boundTo } of sealedColumns) {
    const { rows } = await client.query<Record<string, unknown>>(
      `SELECT ${key.join(", ")}, ${column} AS sealed FROM ${table} WHERE ${column} IS NOT NULL LIMIT 1`,
    );
    for (const row of rows)
      samples.push((masters) => opens(masters, row["sealed"] as Buffer, boundTo(key.map((name) => String(row[name])))));
  }
  return samples;
}

function opens(masters: Master[], sealed: Buffer, bound: string): boolean {
  try {
    decryptWith(masters, sealed, bound);
    return true;
  } catch {
    return false;
  }
}

async function note(client: pg.Client, fingerprint: string, previous: string | null): Promise<"settled"> {
  await client.query(
    `INSERT INTO master_secret (id, fingerprint, previous, changed_at) VALUES (1, $1, $2, now())
     ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint, previous = excluded.previous, changed_at = excluded.changed_at`,
    [fingerprint, previous],
  );
  return "settled";
}

async function hasData(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ some: boolean }>(
    "SELECT EXISTS (SELECT FROM organisations) OR EXISTS (SELECT FROM users) AS some",
  );
  return rows[0]!.some;
}

const restore =
  "set BONAFIDE_SECRET to the secret that this database was used with, or restore the file `secret` in the data directory from a backup (lost for good: docs/operations.md)";

const missing: SecretRefusal = {
  wrong:
    "The master secret is missing, and this database holds data that need it: webhook secrets, second factors and stored answers are encrypted with it.",
  todo: `${restore}. A new one is never made beside existing data.`,
};

const other: SecretRefusal = {
  wrong:
    "The master secret is not the one that this database was used with: its webhook secrets, second factors and stored answers could not be read.",
  todo: `${restore}. To change it on purpose, set BONAFIDE_PREVIOUS_SECRET to the one until now; see "Rotating the master secret" in README.md.`,
};

const superseded: SecretRefusal = {
  wrong: "The master secret was rotated: BONAFIDE_SECRET is the previous one.",
  todo: "set BONAFIDE_SECRET to the new one, and BONAFIDE_PREVIOUS_SECRET to this one. To go back, exchange them.",
};

const unfinished: SecretRefusal = {
  wrong:
    "The last rotation of the master secret is not finished: values in the database are still encrypted with the previous one.",
  todo: "set BONAFIDE_PREVIOUS_SECRET to the previous one, start, and run: npm run admin -- secret reencrypt",
};
