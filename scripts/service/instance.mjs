import { join } from "node:path";
import { Failure } from "../launch/failure.mjs";
import { readIfThere } from "../launch/files.mjs";
import { takeLock } from "../database/lock.mjs";
import { lives } from "../launch/process-identity.mjs";

const lockOf = (dataDirectory) => join(dataDirectory, "server.lock.json");

/** The server that runs on the data directory: its process and address; undefined where none runs. */
export function runningServer(dataDirectory) {
  const holder = JSON.parse(readIfThere(lockOf(dataDirectory)) ?? "{}");
  return lives(holder) ? holder : undefined;
}

export function refuseSecondServer(dataDirectory, holder = runningServer(dataDirectory)) {
  if (!holder) return;
  throw new Failure(
    `Bonafide is running on ${dataDirectory} already: process ${holder.pid}, ${holder.publicUrl}.`,
    `use that one, or stop it first: kill ${holder.pid}. For a second one beside it: DATA_DIR=.data-2 PORT=3001 npm start`,
  );
}

/**
 * Makes this process the one server on the data directory.
 * @returns {Promise<() => void>} gives that up
 */
export async function becomeTheServer(dataDirectory, publicUrl) {
  const lock = await takeLock(lockOf(dataDirectory), { publicUrl });
  if ("holder" in lock) refuseSecondServer(dataDirectory, lock.holder);
  return lock.release;
}
