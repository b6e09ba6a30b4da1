import { FileError } from "@/server/connectors/file/file-error";
import { openBlob } from "@/server/core/blobs/store";
import { receiveUpload, type Upload } from "@/server/core/blobs/upload";
import type { Ctx } from "@/server/core/context";
import { asBackground } from "@/server/core/db";
import { DomainError } from "@/server/core/errors";
import { log } from "@/server/core/log";
import { transaction } from "@/server/core/transaction";
import { openPhotos, type PhotoArchive, type Rejection } from "./archive";
import { claimImport, extendLease, leaseMs, mandateOf, releaseImport, type ClaimedImport } from "./lease";
import { archiveLimit } from "./limits";
import { preparePhoto } from "./prepare-photo";
import { completeImport, recordPhoto, stopImport } from "./record-photo";

/** An import is released after this time, so that organisations take turns. Opening a large archive takes seconds. */
const turnMs = 20_000;

/** How long an import waits while other pictures are being read, in milliseconds. */
const pauseMs = 5_000;

/** If so many attempts at one photo failed or ended with the process, the photo is probably the cause. */
const maxAttempts = 3;

/**
 * Sets the next photos of the import whose turn it is. Each photo is one transaction with its progress. Because
 * rendering is slow, the work holds a lease instead of a transaction.
 *
 * @returns false if no import waits
 */
export function importPhotos(now: Date): Promise<boolean> {
  return asBackground(async () => {
    const work = await claimImport(now);
    if (!work) return false;
    const lease = new AbortController();
    const keeper = setInterval(() => {
      extendLease(work).then(
        (isHeld) => !isHeld && lease.abort(),
        (error: unknown) => log().error({ err: error }, "the lease of an import of photos could not be extended"),
      );
    }, leaseMs / 4);
    try {
      await importSome(work, lease.signal);
    } catch (error) {
      const isBusy = isPassing(error);
      await releaseImport(work, new Date(Date.now() + (isBusy ? pauseMs : leaseMs)), !isBusy);
      if (!isBusy) throw error;
    } finally {
      clearInterval(keeper);
    }
    return true;
  });
}

/** The server is busy, or the organisation was suspended after the claim. */
const isPassing = (error: unknown) =>
  error instanceof DomainError && ["rate_limited", "unavailable", "organisation_suspended"].includes(error.code);

async function importSome(work: ClaimedImport, signal: AbortSignal): Promise<void> {
  const file = await storedArchive(work);
  try {
    const opened = file && (await openPhotos(file.path));
    if (!opened) throw new FileError("file_lost", "The server no longer has the archive. Upload it again.");
    try {
      await importFrom(work, opened, signal);
    } finally {
      opened.archive.close();
    }
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    await transaction((tx) => stopImport(tx, { ...mandateOf(work), reason: error.message }, new Date()));
  } finally {
    await file?.discard();
  }
}

async function storedArchive({ org_id, sha256 }: ClaimedImport): Promise<Upload | null> {
  const blob = await openBlob(org_id, sha256);
  return blob && receiveUpload(blob.chunks, archiveLimit);
}

async function importFrom(work: ClaimedImport, { archive, photos }: PhotoArchive, signal: AbortSignal): Promise<void> {
  const until = Date.now() + turnMs;
  const mandate = mandateOf(work);
  for (const [index, photo] of photos.entries()) {
    if (index < work.processed) continue;
    if (signal.aborted) return;
    if (Date.now() > until) return releaseImport(work, new Date());
    const isDeadly = index === work.processed && work.attempts > maxAttempts;
    const result = isDeadly ? deadly : await preparePhoto(ctxOf(work, mandate.id), { archive, photo });
    const goesOn = await transaction((tx) => recordPhoto(tx, { ...mandate, index, photo, result }, new Date()));
    if (!goesOn) return;
  }
  await transaction((tx) => completeImport(tx, mandate, new Date()));
}

const deadly: Rejection = {
  code: "unreadable",
  reason: "The server failed each time it read this picture. Save it anew as JPEG, and upload it again.",
};

/** The context for the work before the transaction, which checks again whether the actor may act. */
const ctxOf = ({ org_id, actor, scopes, access_token }: ClaimedImport, requestId: string): Ctx => ({
  orgId: org_id,
  actor,
  scopes: new Set(scopes),
  requestId,
  now: new Date(),
  accessToken: access_token ?? undefined,
});
