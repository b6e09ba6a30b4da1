import { accessSync, constants, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../launch/failure.mjs";

/** Makes the data directory and finds out now, not at the first write, whether it can be used. */
export function prepareDataDirectory(path) {
  try {
    mkdirSync(path, { recursive: true });
    const probe = join(path, `.probe-${process.pid}`);
    writeFileSync(probe, "");
    rmSync(probe);
  } catch (cause) {
    throw unusable(path, cause);
  }
  refuseFilesOfAnotherUser(path);
}

function unusable(path, cause) {
  const why = {
    EACCES: "this user may not write there",
    EPERM: "this user may not write there",
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

function refuseFilesOfAnotherUser(path) {
  for (const name of readdirSync(path)) {
    const file = join(path, name);
    if (!/\.json$|^secret(\.previous)?$/.test(name) || !existsSync(file)) continue;
    try {
      accessSync(file, constants.R_OK | constants.W_OK);
    } catch (cause) {
      throw new Failure(
        `${file} belongs to another user (id ${statSync(file).uid}): an earlier start ran as that user.`,
        `start as that user again, or hand the data over: chown -R ${process.getuid?.() ?? "USER"} ${path}`,
        { cause },
      );
    }
  }
}
