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
 * The database of this service: that of DATABASE_URL, or else the PostgreSQL under the data directory. The latter is
 * started by the first process that opens it and stopped by the last one that closes it.
 *
 * @typedef {object} Database
 * @property {string} url the URL that the service uses
 * @property {string} ownerUrl the URL that migrations use: the same, except for the embedded PostgreSQL, where the
 * service is no superuser
 * @property {string} description
 * @property {() => Promise<void>} close
 * @property {(options: import("./supervise.mjs").SuperviseOptions) => () => void} [supervise] only for the embedded
 * PostgreSQL: restarts it after a crash; returns a function that stops the supervision
 * @param {{ databaseUrl?: string, dataDirectory: string }} config `dataDirectory`: absolute
 * @param {{ doing: (text: string) => void }} report
 * @param {{ reservedPorts?: (number | undefined)[] }} [options] `reservedPorts`: those of the server, which look free until it listens
 * @returns {Promise<Database>}
 */
export async function openDatabase({ databaseUrl, dataDirectory }, report, options) {
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
  return openEmbedded(dataDirectory, report, options);
}

/**
 * @param {string} dataDirectory absolute, writable
 * @param {{ settings?: Record<string, string | number>, reservedPorts?: (number | undefined)[] }} [options]
 *   `settings`: settings of PostgreSQL beyond ours; `reservedPorts`: ports on which it must not listen
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
  // A process that uses the database knows its port, so the port does not change while such a process lives.
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
  // The lock cannot be taken on a full disk, but a server that ends must not leave PostgreSQL running. A signal needs
  // no disk space.
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

/** For this long after a working connection, the same PostgreSQL process is assumed. */
const reachedForMs = 10_000;

/**
 * Whether PostgreSQL can be reached at `url`, the address that this process knows.
 *
 * @returns {() => Promise<boolean>} false if it does not run; throws if it runs and cannot be reached, or if its state
 * is unknown
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

/** Connects once. PostgreSQL also counts as running if it answers that it is starting, stopping or full. */
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
      // It was recovering or stopping when it was found. In a moment it will be up, or need a start.
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

/** The list of processes that use the database, so that the last one stops it. Only used under the lock. */
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
    /** @returns {number} how many remain */
    leave: () => {
      const left = others();
      try {
        writeWhole(path, JSON.stringify(left));
      } catch {
        // On a full disk our entry stays, and is ignored once this process has ended.
      }
      return left.length;
    },
  };
}
