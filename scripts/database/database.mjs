import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { oneTimeClient } from "./client.mjs";
import { checkDatabase, placeOf } from "./database-check.mjs";
import { Failure } from "../launch/failure.mjs";
import { readJsonIfThere, writeWhole } from "../launch/files.mjs";
import { withLock } from "./lock.mjs";
import { postgresCluster } from "./postgres-cluster.mjs";
import { ensureApplicationRole } from "./postgres-role.mjs";
import { lives, self } from "../launch/process-identity.mjs";
import { supervise } from "./supervise.mjs";
import { inWords } from "../launch/system-failure.mjs";

/**
 * The database of this service: the one of DATABASE_URL, or else the PostgreSQL under the data directory, started for
 * the first process that opens it and stopped with the last one that closes it.
 * @typedef {object} Database
 * @property {string} url what the service works with
 * @property {string} ownerUrl what migrations work with: the same, but for the embedded PostgreSQL, where the service
 *   is no superuser
 * @property {string} description
 * @property {() => Promise<void>} close
 * @property {(options: import("./supervise.mjs").SuperviseOptions) => () => void} [supervise] of the embedded
 *   PostgreSQL: starts it again whenever
 *   it has died; returns how to end that
 *
 * @param {{ databaseUrl?: string, dataDirectory: string }} config `dataDirectory`: absolute
 * @param {{ doing: (text: string) => void }} report
 * @returns {Promise<Database>}
 */
export async function openDatabase({ databaseUrl, dataDirectory }, report) {
  if (databaseUrl) {
    report.doing("connecting");
    const version = await checkDatabase(databaseUrl);
    const { server, database } = placeOf(databaseUrl);
    return {
      url: databaseUrl,
      ownerUrl: databaseUrl,
      description: `PostgreSQL ${version}, ${database} at ${server}`,
      close: async () => {},
    };
  }
  return openEmbedded(dataDirectory, report);
}

/**
 * @param {string} dataDirectory absolute, writable
 * @param {{ settings?: Record<string, string | number> }} [options] settings of PostgreSQL beyond ours
 * @returns {Promise<Database>}
 */
export async function openEmbedded(dataDirectory, { doing }, options = {}) {
  const cluster = await postgresCluster(dataDirectory, options);
  const users = usersIn(join(dataDirectory, "postgres-users.json"));
  const lock = join(dataDirectory, "postgres.lock");
  const exclusively = (work) =>
    withLock(lock, work).catch((error) => {
      throw inWords(`PostgreSQL in ${dataDirectory} cannot be looked after`, error);
    });
  // A process that uses the database knows its port: while one lives, nobody moves it.
  const start = () => cluster.start({ keepPort: users.others() > 0 });

  const adopted = await exclusively(async () => {
    const found = cluster.running() !== undefined;
    if (!found) doing("starting PostgreSQL");
    try {
      await startAndConnect(cluster, start);
      await ensureApplicationRole(cluster.url(), cluster.applicationUrl());
    } catch (error) {
      if (!found) await cluster.stop();
      throw error;
    }
    users.enter();
    return found;
  });
  const leave = async () => {
    if (users.leave() === 0) await cluster.stop();
  };
  // A full disk takes no lock, and a server that ends must not leave PostgreSQL running: a signal needs no space.
  const close = () =>
    withLock(lock, leave)
      .catch((error) => (error instanceof Failure ? Promise.reject(error) : leave()))
      .catch((error) => {
        throw inWords(
          `PostgreSQL in ${dataDirectory} could not be stopped and may still run (its process is in postgres/postmaster.pid there)`,
          error,
        );
      });
  const url = cluster.applicationUrl();
  const { server } = placeOf(url);
  return {
    url,
    ownerUrl: cluster.url(),
    description: `PostgreSQL ${cluster.version} ${adopted ? "found running" : "started"} on ${server}`,
    close,
    supervise: (supervision) =>
      supervise(
        { isReached: reaching(cluster, url), start: () => exclusively(() => cluster.start({ keepPort: true })) },
        supervision,
      ),
  };
}

/** How long a connection that worked speaks for the same PostgreSQL process. */
const reachedForMs = 10_000;

/**
 * Whether PostgreSQL is reached at `url`, where this process looks for it.
 * @returns {() => Promise<boolean>} false where it does not run; throws where it runs and is not reached, or where that
 *   cannot be found out
 */
function reaching(cluster, url) {
  let last = { pid: 0, at: 0 };
  return async () => {
    try {
      const found = cluster.running();
      if (!found) return false;
      if (found.pid === last.pid && performance.now() - last.at < reachedForMs) return true;
      const { server } = placeOf(url);
      if (found.port !== Number(new URL(url).port))
        throw new Failure(
          `PostgreSQL runs on port ${found.port}, and this server looks for it at ${server}.`,
          "start Bonafide again.",
        );
      await connectTo(url);
      last = { pid: found.pid, at: performance.now() };
      return true;
    } catch (error) {
      throw inWords("Whether PostgreSQL runs cannot be found out", error);
    }
  };
}

/** Connects once. An answer that it is starting, stopping or full comes from a PostgreSQL that is there. */
async function connectTo(url) {
  const client = oneTimeClient({ connectionString: url });
  try {
    await client.connect();
  } catch (error) {
    if (!["57P03", "53300"].includes(error.code)) throw error;
  } finally {
    await client.end().catch(() => {});
  }
}

async function startAndConnect(cluster, start) {
  for (let patience = 300; ; patience--) {
    await start();
    try {
      return await createDatabase(cluster);
    } catch (error) {
      // Found while it was still recovering, or stopping: it will be up, or have to be started, in a moment.
      if (!["57P03", "ECONNREFUSED", "ECONNRESET"].includes(error.code) || patience === 0) throw error;
      await wait(200);
    }
  }
}

async function createDatabase(cluster) {
  const client = oneTimeClient({ connectionString: cluster.url("postgres") });
  try {
    await client.connect();
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = 'bonafide'");
    if (rowCount === 0) await client.query("CREATE DATABASE bonafide");
  } finally {
    await client.end().catch(() => {});
  }
}

/** The processes that use the database, so that the last one stops it. Called under the lock alone. */
function usersIn(path) {
  const others = () => {
    const known = readJsonIfThere(
      path,
      `stop Bonafide on this folder, remove that file (it lists processes) and start.`,
    );
    return (known ?? []).filter((user) => user.pid !== process.pid && lives(user));
  };
  return {
    /** @returns {number} how many other processes use it */
    others: () => others().length,
    enter: () => writeWhole(path, JSON.stringify([...others(), self()])),
    /** @returns {number} how many are left */
    leave: () => {
      const left = others();
      try {
        writeWhole(path, JSON.stringify(left));
      } catch {
        // Our entry stays where the disk is full, and counts for nothing once this process has ended.
      }
      return left.length;
    },
  };
}
