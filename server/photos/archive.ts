import type { Entry } from "yauzl";
import { FileError } from "@/server/connectors/file/file-error";
import { Archive } from "@/server/connectors/file/zip";
import { photoLimit } from "@/server/subjects/photo-limits";
import { photosLimit } from "./limits";

/** Why a file of an archive is rejected. */
export interface Rejection {
  code: string;
  /** In words. Names nobody, because it outlives an erasure. */
  reason: string;
}

/** A file of an archive, with the external id in its name. */
export interface ArchivedPhoto {
  entry: Entry;
  fileName: string;
  externalId: string;
  /** Whether another file's name differs only in case, so that the case decides whose photo each is. */
  isCaseExact: boolean;
  /** Set if the archive's directory already shows that the file cannot be used. */
  rejection?: Rejection;
}

export interface PhotoArchive {
  archive: Archive;
  /** In the order of the archive's directory, which is the same each time. */
  photos: ArchivedPhoto[];
  ignored: number;
}

/** macOS adds a file to each photo, and folders count as entries too. */
const entriesPerPhoto = 3;

/**
 * Opens an archive whose files are named by external id. Close `archive` when it is no longer needed.
 * @throws FileError if the archive as a whole cannot be used
 */
export async function openPhotos(path: string): Promise<PhotoArchive> {
  const advice = `An archive may hold ${photosLimit} photos. Divide it into several.`;
  const archive = await Archive.open(path, { files: entriesPerPhoto * photosLimit, advice });
  try {
    const files = archive.list.map((entry) => ({ entry, fileName: nameOf(entry) }));
    const kept = files.filter(({ fileName }) => !isBeside(fileName));
    if (kept.length > photosLimit)
      throw new FileError("unsupported_file", `The archive holds ${kept.length} files. ${advice}`);
    if (kept.length === 0) throw new FileError("unsupported_file", "The archive holds no photos.");
    if (kept.some(({ entry }) => entry.isEncrypted()))
      throw new FileError("unsupported_file", "The archive has a password. Send it without one.");
    return { archive, photos: judged(kept), ignored: files.length - kept.length };
  } catch (error) {
    archive.close();
    throw error;
  }
}

const utf8Flag = 0x800;

/**
 * The name of a file. macOS writes UTF-8 without the flag that the format requires. Without this, "é" would be read in
 * the character set of MS-DOS.
 */
function nameOf(entry: Entry): string {
  // Missing in the types of yauzl.
  const { fileName, fileNameRaw, generalPurposeBitFlag } = entry as Entry & { fileNameRaw: Buffer };
  if (generalPurposeBitFlag & utf8Flag) return fileName;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(fileNameRaw).replaceAll("\\", "/");
  } catch {
    return fileName;
  }
}

/** Files that operating systems add to archives. */
const isBeside = (name: string) =>
  /(^|\/)__MACOSX\//i.test(name) || /(^|\/)(\.[^/]*|thumbs\.db|desktop\.ini)$/i.test(name);

function judged(files: { entry: Entry; fileName: string }[]): ArchivedPhoto[] {
  const read = files.map((file) => ({ ...file, ...partsOf(file.fileName) }));
  const idsOfPictures = read.filter(({ extension }) => pictures.has(extension)).map(({ externalId }) => externalId);
  const named = countBy(idsOfPictures);
  const inAnyCase = countBy(idsOfPictures.map((externalId) => externalId.toLowerCase()));
  return read.map(({ entry, fileName, externalId, extension }) => {
    const rejection = rejectionOf(entry, extension, named.get(externalId) ?? 0);
    const isCaseExact = (inAnyCase.get(externalId.toLowerCase()) ?? 0) > 1;
    return { entry, fileName, externalId, isCaseExact, ...(rejection && { rejection }) };
  });
}

/** The external id is the name without folders and without the extension, as external ids are stored. */
function partsOf(fileName: string): { externalId: string; extension: string } {
  const name = fileName.slice(fileName.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot + 1).toLowerCase()] : [name, ""];
  return { externalId: stem.normalize("NFC").trim(), extension };
}

const pictures = new Set(["jpg", "jpeg", "jpe", "jfif", "png", "webp", ""]);

function rejectionOf(entry: Entry, extension: string, sameName: number): Rejection | undefined {
  if (!pictures.has(extension))
    return {
      code: "unsupported_file",
      reason: `A file of the kind .${extension.slice(0, 10)} cannot be read as a photo. Save it as JPEG, PNG or WebP.`,
    };
  if (sameName > 1)
    return {
      code: "duplicate",
      reason: `${sameName} files of the archive are named by this id, and it is unclear which one is the photo. Keep one of them.`,
    };
  if (entry.uncompressedSize > photoLimit)
    return {
      code: "too_large",
      reason: `The picture has more than ${photoLimit / 1024 / 1024} MB. Save it smaller.`,
    };
  return undefined;
}

function countBy(keys: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
