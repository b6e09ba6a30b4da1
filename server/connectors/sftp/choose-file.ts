import { setTimeout as wait } from "node:timers/promises";
import { PullError } from "../http/pull-error";
import type { Remote, RemoteFile } from "./remote";
import { joined, type RemotePlace } from "./remote-path";

/** The time between two listings of a folder. A file that is still being written changes its size or time meanwhile. */
const restMs = 10_000;

export type Pause = (ms: number, signal: AbortSignal) => Promise<unknown>;

export const pauseFor: Pause = (ms, signal) => wait(ms, undefined, { signal });

const isSame = (a: Omit<RemoteFile, "name">, b: Omit<RemoteFile, "name">) =>
  a.size === b.size && a.modifiedAt.getTime() === b.modifiedAt.getTime();

/** Lists the files that match the path, oldest first. @throws PullError if the path names a folder without a / at its end */
export async function listMeant(remote: Remote, place: RemotePlace): Promise<RemoteFile[]> {
  const found = (await remote.list(place.folder)).filter(({ name }) => place.takes(name));
  const path = place.file === null ? null : joined(place.folder, place.file);
  if (found.length === 0 && path !== null && (await remote.isFolder(path)))
    throw new PullError(
      "is_folder",
      `${JSON.stringify(path)} is a folder. End the path with / to mean its files: ${JSON.stringify(`${path}/`)}.`,
    );
  return found.sort((a, b) => a.modifiedAt.getTime() - b.modifiedAt.getTime() || (a.name < b.name ? -1 : 1));
}

/**
 * Lists a folder twice and chooses the oldest file whose size and time did not change in between. Skips files that earlier
 * runs took but could not move.
 * @returns null if there is no such file
 */
export async function chooseFile(
  remote: Remote,
  place: RemotePlace,
  { left, pause = pauseFor, signal }: { left: readonly RemoteFile[]; pause?: Pause | undefined; signal: AbortSignal },
): Promise<RemoteFile | null> {
  const isLeft = (file: RemoteFile) => left.some((other) => other.name === file.name && isSame(other, file));
  const before = (await listMeant(remote, place)).filter((file) => !isLeft(file));
  if (before.length === 0) return null;
  await pause(restMs, signal);
  const now = await listMeant(remote, place);
  return now.find((file) => before.some((other) => other.name === file.name && isSame(other, file))) ?? null;
}

export { isSame };
