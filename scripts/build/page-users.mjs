import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../launch/failure.mjs";
import { writeWhole } from "../launch/files.mjs";
import { inProject } from "../launch/paths.mjs";
import { lives, self } from "../launch/process-identity.mjs";
import { holderOf } from "../database/lock.mjs";

const ownFolder = inProject(".build", "page-users");

/**
 * Notes that this process serves the built pages. A server reads some of them when it starts and others when they are
 * asked for, so that they must stay as they are while it runs.
 *
 * @returns {() => void} ends the note
 */
export function usePages(publicUrl, folder = ownFolder) {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${process.pid}.json`);
  writeWhole(path, JSON.stringify({ publicUrl, ...self() }));
  return () => rmSync(path, { force: true });
}

/** Refuses to build pages while a server serves those of an earlier build. @throws Failure */
export function refuseWhileServed(folder = ownFolder) {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const holder = holderOf(path);
    if (holder && lives(holder))
      throw new Failure(
        `The sources have changed since the pages were built, and a server serves those pages: process ${holder.pid}, ${holder.publicUrl}. New pages would break it.`,
        `stop it first: kill ${holder.pid}. To try a change while it runs, use another copy of this folder.`,
      );
    rmSync(path, { force: true });
  }
}
