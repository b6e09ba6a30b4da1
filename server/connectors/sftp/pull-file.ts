import { receiveUpload, type Upload } from "@/server/core/blobs/upload";
import { fileLimit } from "../file-limit";
import { PullError } from "../http/pull-error";
import { FirstError } from "../http/first-error";
import { chooseFile, isSame, type Pause } from "./choose-file";
import type { Origin } from "./origin";
import { changed, type Remote, type RemoteFile } from "./remote";
import { joined, remotePlace } from "./remote-path";
import { withSftp, HostKeyError, type SftpAccess } from "./session";
import { serverOf } from "../server-of";

export interface SftpPulling extends SftpAccess {
  /** Files that earlier runs took but could not move. */
  left: readonly RemoteFile[];
  /** Replaced in tests, which do not wait. */
  pause?: Pause | undefined;
}

/** The error of a file that cannot be applied but belongs to the run, so that it is moved to error/. */
export class TakenFileError extends PullError {
  constructor(
    why: PullError,
    readonly origin: Origin,
  ) {
    super(why.code, why.message);
  }
}

/**
 * Fetches the oldest complete file from the customer's server. The file stays there until its run is over.
 * @returns null if there is none
 * @throws PullError, or the signal's reason
 */
export async function pullFile(pulling: SftpPulling): Promise<{ file: Upload; origin: Origin } | null> {
  const { settings } = pulling;
  if (!settings.hostKey)
    throw new HostKeyError(
      "host_key_unknown",
      `The key of the server ${settings.host} was not approved yet. Edit the connector, test the connection, and approve the fingerprint. Nobody was changed.`,
      null,
    );
  return withSftp(pulling, async (remote) => {
    const place = remotePlace(settings.path);
    const chosen = await chooseFile(remote, place, pulling);
    if (!chosen) return null;
    const origin = { ...originOf(chosen), server: serverOf({ ...settings })!, folder: place.folder };
    if (chosen.size > fileLimit)
      throw new TakenFileError(
        new PullError("too_large", `The file has more than ${fileLimit / 1024 / 1024} MiB.`),
        origin,
      );
    return { file: await take(remote, joined(place.folder, chosen.name), chosen), origin };
  });
}

export const originOf = ({ name, size, modifiedAt }: RemoteFile): Origin => ({
  name,
  size,
  modifiedAt: modifiedAt.toISOString(),
});

async function take(remote: Remote, path: string, chosen: RemoteFile): Promise<Upload> {
  // Check again: the file may have been replaced by a link since the folder was listed.
  const before = await remote.look(path);
  if (!before || !isSame(before, chosen)) throw changed();
  const failure = new FirstError();
  const file = await receiveUpload(failure.of(remote.read(path, chosen.size)), fileLimit).catch((error: unknown) => {
    throw failure.reason ?? error;
  });
  try {
    const after = await remote.look(path);
    if (!after || !isSame(after, chosen)) throw changed();
    return file;
  } catch (error) {
    await file.discard();
    throw error;
  }
}
