import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failure } from "../launch/failure.mjs";
import { identityOf } from "../launch/process-identity.mjs";

/** Creates the data directory and checks at the start, not at the first write, whether it can be used. */
export function prepareDataDirectory(path) {
  try {
    makeFolder(path);
    const probe = join(path, `.probe-${process.pid}`);
    writeFileSync(probe, "");
    rmSync(probe);
  } catch (cause) {
    throw unusable(path, cause);
  }
  refuseFilesOfAnotherUser(path);
  removeDrafts(path);
}

/**
 * Makes a folder and those above it. Node's recursive mkdir never returns where a file system says ENOENT for a folder
 * in one that exists, as /proc and automounters do.
 */
function makeFolder(path) {
  if (!existsSync(dirname(path))) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    if (error.code !== "EEXIST" || !statSync(path).isDirectory()) throw error;
  }
}

/** What a process that was killed, or met a full disk, left of the files that it was writing. */
function removeDrafts(path) {
  for (const name of readdirSync(path)) {
    const [, pid] = /^(?:(?:postgres|server|secret)[a-z.-]*\.|\.probe-)(\d+)$/.exec(name) ?? [];
    if (pid && identityOf(Number(pid)) === undefined) rmSync(join(path, name), { force: true });
  }
}

function unusable(path, cause) {
  const foreign = `this user (id ${process.getuid?.()}) may not write there; ${ownerOf(path)}`;
  const why = {
    EACCES: foreign,
    EPERM: foreign,
    ENOENT: "a link in that path leads nowhere, or its file system makes no folders there",
    ELOOP: "a link there leads to itself",
    EROFS: "it is on a read-only file system",
    ENOSPC: "the disk is full",
    EDQUOT: "the disk quota is used up",
    ENOTDIR: "a part of that path is a file",
    EEXIST: "a file is in its place",
  }[cause.code];
  if (!why) return cause;
  return new Failure(
    `The data directory ${path} cannot be used: ${why}.`,
    "make it writable for the user who starts Bonafide, or name another: DATA_DIR=/some/folder npm start",
    { cause },
  );
}

/** The owner of the folder, or of its nearest existing parent. */
function ownerOf(path) {
  try {
    const { uid } = statSync(path);
    return `${path} belongs to ${nameOf(uid)}`;
  } catch {
    return path === dirname(path) ? "it cannot be found out whose it is" : ownerOf(dirname(path));
  }
}

function nameOf(uid) {
  try {
    const name = execFileSync("id", ["-nu", String(uid)], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return `${name.trim()} (id ${uid})`;
  } catch {
    return `the user with id ${uid}`;
  }
}

function refuseFilesOfAnotherUser(path) {
  for (const name of readdirSync(path)) {
    const file = join(path, name);
    if (!/\.json$|^secret(\.previous)?$/.test(name) || !existsSync(file)) continue;
    try {
      accessSync(file, constants.R_OK | constants.W_OK);
    } catch (cause) {
      throw new Failure(
        `${file} belongs to another user, ${nameOf(statSync(file).uid)}: an earlier start ran as that user.`,
        `start as that user again, or hand the data over: chown -R ${process.getuid?.() ?? "USER"} ${path}`,
        { cause },
      );
    }
  }
}
