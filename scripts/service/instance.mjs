import { join } from "node:path";
import { Failure } from "../launch/failure.mjs";
import { holderOf, takeLock } from "../database/lock.mjs";
import { lives } from "../launch/process-identity.mjs";
import { inWords } from "../launch/system-failure.mjs";

const lockOf = (dataDirectory) => join(dataDirectory, "server.lock.json");

/** The running server of the data directory, with its process and address; undefined if none runs. */
export function runningServer(dataDirectory) {
  const holder = holderOf(lockOf(dataDirectory));
  return holder && lives(holder) ? holder : undefined;
}

export function refuseSecondServer(dataDirectory, holder = runningServer(dataDirectory)) {
  if (!holder) return;
  throw new Failure(
    `Bonafide is running on ${dataDirectory} already: process ${holder.pid}, ${holder.publicUrl}.`,
    `use that one, or stop it first: kill ${holder.pid}. For another service beside it: DATA_DIR=.data-2 PORT=3001 npm start. Several servers share a data directory if each of them has the same DATABASE_URL.`,
  );
}

/**
 * Makes this process the only server on the data directory.
 *
 * @param {string} dataDirectory
 * @param {string} publicUrl
 * @param {{ shared?: boolean }} [options] `shared`: the database is elsewhere, so that other servers may use the
 * directory too; the first of them is the one that is found there
 * @returns {Promise<() => void>} releases the directory
 */
export async function becomeTheServer(dataDirectory, publicUrl, { shared = false } = {}) {
  const lock = await takeLock(lockOf(dataDirectory), { publicUrl }).catch((error) => {
    throw inWords(`The data directory ${dataDirectory} cannot be used`, error);
  });
  if ("holder" in lock && shared) return () => {};
  if ("holder" in lock) refuseSecondServer(dataDirectory, lock.holder);
  return lock.release;
}
