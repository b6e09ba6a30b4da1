import { execFileSync, spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { Failure } from "../launch/failure.mjs";

/**
 * The user that PostgreSQL runs as.
 *
 * @typedef {object} Account
 * @property {{ uid: number, gid: number }} [owner] the owner of its files, if not the user of this process
 * @property {{ uid?: number, gid?: number }} as for spawn
 * @property {(program: string, args: string[]) => [string, string[]]} command what to spawn to run a program
 */

const direct = (program, args) => [program, args];

/**
 * PostgreSQL refuses to run as root. If this process is root, PostgreSQL runs as the owner of its data or as the user
 * "postgres", which is created if needed.
 *
 * @returns {Account}
 */
export function postgresAccount(cluster, dataDirectory, binaries) {
  if (process.getuid?.() !== 0) return { as: {}, command: direct };
  const owner = ownerOf(cluster) ?? idsOf("postgres") ?? makeUser();
  const plain = { owner, as: owner, command: direct };
  if (reaches(plain, binaries, dataDirectory)) return plain;
  // That user cannot enter a folder that only root may enter, such as one in /root. A capability allows it, but
  // access(2), with which PostgreSQL checks its programs, respects the capability only with this secure bit. setpriv
  // therefore changes the user, because unlike spawn it keeps the capability.
  const setpriv = [
    `--reuid=${owner.uid}`,
    `--regid=${owner.gid}`,
    "--clear-groups",
    "--inh-caps=+dac_override",
    "--ambient-caps=+dac_override",
    "--securebits=+no_setuid_fixup",
  ];
  const capable = { owner, as: {}, command: (program, args) => ["setpriv", [...setpriv, program, ...args]] };
  if (reaches(capable, binaries, dataDirectory)) return capable;
  throw new Failure(
    `PostgreSQL does not run as root, and the user it runs as instead (id ${owner.uid}) cannot reach ${dataDirectory} or ${binaries.postgres}.`,
    "start Bonafide as an ordinary user, or put it in a folder that every user may enter, such as /srv.",
  );
}

function ownerOf(cluster) {
  const { uid, gid } = statSync(cluster, { throwIfNoEntry: false }) ?? {};
  return uid ? { uid, gid } : undefined;
}

function idsOf(user) {
  const id = (flag) =>
    Number(execFileSync("id", [flag, user], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
  try {
    return { uid: id("-u"), gid: id("-g") };
  } catch {
    return undefined;
  }
}

function makeUser() {
  const made = spawnSync(
    "useradd",
    ["--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin", "postgres"],
    { encoding: "utf8" },
  );
  const ids = idsOf("postgres");
  if (ids) return ids;
  throw new Failure(
    "PostgreSQL does not run as root, and a user for it could not be made.",
    "start Bonafide as an ordinary user, or make a user named postgres.",
    { detail: made.stderr || String(made.error ?? "") },
  );
}

function reaches({ as, command }, binaries, directory) {
  const [program, args] = command("/bin/sh", [
    "-c",
    'test -x "$1" && "$1" --version && cd "$2"',
    "sh",
    binaries.postgres,
    directory,
  ]);
  return spawnSync(program, args, { ...as, cwd: "/", stdio: "ignore" }).status === 0;
}
