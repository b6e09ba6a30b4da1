import { randomBytes } from "node:crypto";
import { chownSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Failure } from "../launch/failure.mjs";
import { readIfThere, readJsonIfThere, writeWhole } from "../launch/files.mjs";
import { freePort, tryPort } from "./ports.mjs";
import { commandOf, identityOf } from "../launch/process-identity.mjs";
import { applicationRole } from "./postgres-role.mjs";
import { postgresAccount } from "./postgres-account.mjs";
import { postgresBinaries } from "./postgres-binaries.mjs";
import { postgresLogs } from "./postgres-logs.mjs";
import { run, tail } from "../launch/run.mjs";

/**
 * A PostgreSQL under `directory`/postgres: creates, starts, finds and stops it. It listens only on loopback, with the
 * port and password in `directory`/postgres.json.
 */
export async function postgresCluster(directory, { settings = {}, reservedPorts = [] } = {}) {
  const path = join(directory, "postgres");
  const access = join(directory, "postgres.json");
  const binaries = await postgresBinaries();
  const account = postgresAccount(path, directory, binaries);
  const call = (program, args) => {
    const [command, commandArgs] = account.command(binaries[program], args);
    // In its own process group, because this process handles Ctrl-C.
    return run(command, commandArgs, { ...account.as, detached: true, cwd: "/", env: { ...process.env, LC_ALL: "C" } });
  };

  const isReserved = (port) => reservedPorts.includes(port);
  const freeDatabasePort = () => freePort("127.0.0.1", isReserved);

  /** @returns {{ port: number, password: string }} */
  function readAccess() {
    const todo = `restore it from a backup. To begin anew, without any of the data: rm -r ${path}`;
    const known = readJsonIfThere(access, todo);
    if (known) return known;
    throw new Failure(`${access} is missing or empty: it holds the password of the database in ${path}.`, todo);
  }
  const remember = (known) => writeWhole(access, JSON.stringify(known));

  async function initialise() {
    // Created in another place and moved when it is complete, so that an aborted one is never mistaken for a database.
    const draft = `${path}.new`;
    const passwordFile = `${path}.new.password`;
    rmSync(draft, { recursive: true, force: true });
    remember({ port: await freeDatabasePort(), password: randomBytes(24).toString("base64url") });
    try {
      mkdirSync(draft, { mode: 0o700 });
      writeFileSync(passwordFile, readAccess().password, { mode: 0o600 });
      if (account.owner)
        for (const file of [draft, passwordFile]) chownSync(file, account.owner.uid, account.owner.gid);
      const { code, output } = await call("initdb", [
        `--pgdata=${draft}`,
        "--username=bonafide",
        `--pwfile=${passwordFile}`,
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--locale=C",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
      ]);
      if (code !== 0)
        throw new Failure(
          `The database could not be made in ${path}.`,
          "put right what PostgreSQL names and start again; nothing is left of this try.",
          { detail: tail(output) },
        );
      renameSync(draft, path);
    } finally {
      rmSync(passwordFile, { force: true });
      rmSync(draft, { recursive: true, force: true });
    }
  }

  function refuseOtherMajor() {
    const written = readFileSync(join(path, "PG_VERSION"), "utf8").trim();
    const major = binaries.version.split(".")[0];
    if (written !== major)
      throw new Failure(
        `The data in ${path} were written by PostgreSQL ${written}; this version of Bonafide brings PostgreSQL ${major}.`,
        `move the data over with pg_dump and psql of PostgreSQL ${written}, or start the version of Bonafide that wrote them.`,
      );
  }

  /**
   * The running server of this cluster, whichever process started it.
   *
   * @throws if its state cannot be found out now
   */
  function running() {
    const [pid, , , port] = (readIfThere(join(path, "postmaster.pid")) ?? "").split("\n");
    return pid && isServerOf(Number(pid), path) ? { pid: Number(pid), port: Number(port) } : undefined;
  }

  /**
   * @param {{ keepPort?: boolean }} [options] `keepPort`: does not move to another port, because other processes know
   * the present one
   */
  async function start({ keepPort = false } = {}) {
    if (!statSync(path, { throwIfNoEntry: false })) await initialise();
    refuseOtherMajor();
    const found = running();
    if (found) {
      remember({ ...readAccess(), port: found.port });
      return { adopted: true };
    }
    // The pid file of a killed server. Another program may have this process id now, which PostgreSQL would mistake for
    // a server.
    rmSync(join(path, "postmaster.pid"), { force: true });
    for (let tries = 1; ; tries++) {
      const output = await startOnce(keepPort);
      if (output === undefined) return { adopted: false };
      const { port } = readAccess();
      const taken = keepPort && "refused" in (await tryPort(port, "127.0.0.1"));
      const passing = /shared memory block .* is still in use|could not bind|lock file .* already exists/s.test(output);
      if (tries === 5 && taken)
        throw new Failure(
          `PostgreSQL does not start on ${path}: another program has its port ${port}, which a running server of Bonafide uses.`,
          `end that program, or stop Bonafide and start it again: it takes another port then.`,
          { detail: tail(output) },
        );
      if (!passing || tries === 5)
        throw new Failure(`PostgreSQL does not start on ${path}.`, "put right what it names and start again.", {
          detail: tail(output),
        });
      await wait(200);
    }
  }

  /** @returns {Promise<string | undefined>} PostgreSQL's output, if it did not start */
  async function startOnce(keepPort) {
    const known = readAccess();
    if (!keepPort && (isReserved(known.port) || "refused" in (await tryPort(known.port, "127.0.0.1"))))
      remember({ ...known, port: await freeDatabasePort() });
    const logs = postgresLogs(join(path, "log"));
    const options = { ...defaults, ...settings, port: readAccess().port };
    const log = join(path, "start.log");
    rmSync(log, { force: true });
    const { code, output } = await call("pg_ctl", [
      "start",
      "--wait",
      "--timeout=600",
      "--silent",
      `--pgdata=${path}`,
      `--log=${log}`,
      `--options=${Object.entries(options)
        .map(([name, value]) => `-c ${name}=${value}`)
        .join(" ")}`,
    ]);
    if (code === 0) {
      yieldToServer(running().pid);
      return undefined;
    }
    const first = readIfThere(log) ?? "";
    // The cause is in the log file once PostgreSQL has said that it logs there.
    return [output, first, /logging collector/.test(first) ? await logs.written() : ""].join("\n");
  }

  /** @param {"fast" | "immediate"} [mode] "immediate" leaves the recovery to the next start */
  async function stop(mode = "fast") {
    if (!running()) return;
    const { code, output } = await call("pg_ctl", [
      "stop",
      "--wait",
      "--timeout=120",
      "--silent",
      `--mode=${mode}`,
      `--pgdata=${path}`,
    ]);
    if (code !== 0 && running())
      throw new Failure(
        "PostgreSQL does not stop.",
        `look at ${path}/log, and end process ${running()?.pid} by hand.`,
        { detail: tail(output) },
      );
  }

  /** The URL for the owner of the cluster, a superuser. */
  const url = (database = "bonafide") => {
    const { port, password } = readAccess();
    return `postgresql://bonafide:${password}@127.0.0.1:${port}/${database}`;
  };

  /** The URL for the service's role, which has a password of its own. */
  const applicationUrl = () => {
    const known = readAccess();
    if (!known.applicationPassword) remember({ ...known, applicationPassword: randomBytes(24).toString("base64url") });
    const { port, applicationPassword } = readAccess();
    return `postgresql://${applicationRole}:${applicationPassword}@127.0.0.1:${port}/bonafide`;
  };

  return { version: binaries.version, start, stop, running, url, applicationUrl };
}

const defaults = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: 200,
  shared_buffers: "256MB",
  // Seven log files, one for each day of the week, each overwritten after a week.
  logging_collector: "on",
  log_filename: "postgresql-%a.log",
  log_rotation_age: "1d",
  log_rotation_size: 0,
  log_truncate_on_rotation: "on",
};

/**
 * Lets Bonafide go before its database where both want the same processor: see
 * docs/decisions/743-the-embedded-postgresql-yields-to-the-server.md. The processes of new connections inherit it.
 */
function yieldToServer(pid) {
  try {
    setPriority(pid, Math.min(getPriority() + 5, 19));
  } catch {
    // Not allowed here. The database works all the same.
  }
}

const isServerOf = (pid, path) => identityOf(pid) !== undefined && (commandOf(pid)?.includes(path) ?? false);
