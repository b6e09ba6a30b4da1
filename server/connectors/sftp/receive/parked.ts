import { log } from "@/server/core/log";
import { processState } from "@/server/core/process-state";
import type { Id } from "@/server/core/ids";
import type { IncomingFile } from "./incoming-file";

/** How long a file waits to be renamed after its session ended, in milliseconds. */
export const parkedMs = 24 * 3600_000;
/** The most parked files of all connectors together, because each keeps a file open. */
const parkedAtMost = 200;

interface Parked {
  connectorId: Id<"con">;
  name: string;
  file: IncomingFile;
  until: number;
}

// Some senders upload in one session and rename in the next. In the order in which the files were parked.
const { all } = processState("files parked by SFTP", () => ({ all: new Set<Parked>() }));

/** Shorter than the age at which temporary files are deleted (core/blobs/store.ts). */
const touchEveryMs = 10 * 60_000;

let timer: NodeJS.Timeout | undefined;

/** While files are parked: deletes expired ones and updates the times of the others. */
function keep(): void {
  timer ??= setInterval(() => {
    removeParked();
    for (const { file } of all)
      file.touch().catch((error: unknown) => log().error({ err: error }, "an unfinished file could not be touched"));
    if (all.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }, touchEveryMs).unref();
}

const drop = (parked: Parked) => {
  all.delete(parked);
  parked.file
    .discard()
    .catch((error: unknown) => log().error({ err: error }, "an unfinished file could not be removed"));
};

/** Keeps a complete file that was not renamed for later sessions of its connector. A restart loses it. */
export function park(connectorId: Id<"con">, name: string, file: IncomingFile, now = Date.now()): void {
  removeParked(now);
  const known = find(connectorId, name);
  if (known) drop(known);
  const [first] = all;
  if (first && all.size >= parkedAtMost) drop(first);
  all.add({ connectorId, name, file, until: now + parkedMs });
  keep();
}

/** Removes a parked file from the list and returns it; undefined if there is none with this name. */
export function unpark(connectorId: Id<"con">, name: string): IncomingFile | undefined {
  removeParked();
  const found = find(connectorId, name);
  if (found) all.delete(found);
  return found?.file;
}

/** The parked files of a connector. */
export function parkedOf(connectorId: Id<"con">): { name: string; file: IncomingFile }[] {
  removeParked();
  return [...all].filter((parked) => parked.connectorId === connectorId);
}

/** Deletes parked files that have expired. */
export function removeParked(now = Date.now()): void {
  for (const parked of all) if (parked.until <= now) drop(parked);
}

/** Deletes all parked files, when the server stops. */
export function dropParked(): void {
  for (const parked of all) drop(parked);
}

const find = (connectorId: Id<"con">, name: string) =>
  [...all].find((parked) => parked.connectorId === connectorId && parked.name === name);
