import { setTimeout as wait } from "node:timers/promises";
import { PullError } from "../http/pull-error";
import type { Remote, RemoteFile } from "./remote";
import { joined, type RemotePlace } from "./remote-path";

/** Between two looks at a folder: whoever still writes a file changes its size or its time meanwhile. */
const restMs = 10_000;

export type Pause = (ms: number, signal: AbortSignal) => Promise<unknown>;

export const pauseFor: Pause = (ms, signal) => wait(ms, undefined, { signal });

const isSame = (a: Omit<RemoteFile, "name">, b: Omit<RemoteFile, "name">) =>
  a.size === b.size && a.modifiedAt.getTime() === b.modifiedAt.getTime();

/** The files of a folder that are meant, the oldest first. @throws PullError where a folder has the name of the file */
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
 * Looks at a folder twice, and takes the oldest file that had one size and one time in both. Files that were taken and
 * could not be moved away are left.
 * @returns null where there is none
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
