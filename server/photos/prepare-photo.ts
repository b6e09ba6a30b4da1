import { FileError } from "@/server/connectors/file/file-error";
import type { Archive } from "@/server/connectors/file/zip";
import { receiveUpload, type Upload } from "@/server/core/blobs/upload";
import type { Ctx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import { transaction } from "@/server/core/transaction";
import { photoLimit } from "@/server/subjects/photo-limits";
import { setPhoto } from "@/server/subjects/set-photo";
import type { SubjectView } from "@/server/subjects/view";
import type { ArchivedPhoto, Rejection } from "./archive";
import { erased, findPerson } from "./find-person";

/** A photo that is rendered and stored, so that only its row is left to write. */
export interface PreparedPhoto {
  subjectId: Id<"sub">;
  write(within: Ctx): Promise<SubjectView>;
}

/** Does the slow work of one photo: finds its person, unpacks it, renders it and stores its renditions. */
export async function preparePhoto(
  ctx: Ctx,
  { archive, photo }: { archive: Archive; photo: ArchivedPhoto },
): Promise<PreparedPhoto | Rejection> {
  if (photo.rejection) return photo.rejection;
  const person = await transaction((tx) => findPerson({ ...ctx, tx }, photo));
  if (!("id" in person)) return person;
  const file = await unpacked(archive, photo);
  if (!("path" in file)) return file;
  try {
    const write = await setPhoto.prepared!(ctx, { id: publicId("sub", person.id), photo: file });
    return { subjectId: person.id, write };
  } catch (error) {
    return asRejection(error);
  } finally {
    await file.discard();
  }
}

async function unpacked(archive: Archive, { entry }: ArchivedPhoto): Promise<Upload | Rejection> {
  let broken: FileError | undefined;
  const chunks = async function* () {
    try {
      yield* archive.read(entry, photoLimit);
    } catch (error) {
      if (error instanceof FileError) broken = error;
      throw error;
    }
  };
  try {
    return await receiveUpload(chunks(), photoLimit);
  } catch (error) {
    if (!broken) throw error;
    return { code: "damaged", reason: "The file is damaged in the archive. Make the archive again." };
  }
}

/**
 * Returns why a file of an archive is rejected. Any other error is not the file's fault, and the file is tried again.
 */
const faults = new Set(["invalid_request", "unsupported_media_type"]);

/** @throws the error, unless the file or the person caused it */
export function asRejection(error: unknown): Rejection {
  if (!(error instanceof DomainError)) throw error;
  if (error.code === "subject_erased") return erased();
  if (error.code === "not_found")
    return { code: "unknown_person", reason: "The person was removed while the archive was imported." };
  if (faults.has(error.code)) return { code: "unreadable", reason: error.message };
  throw error;
}
