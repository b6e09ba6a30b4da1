import { zipOf } from "@/server/connectors/testing/archives";
import { receiveUpload } from "@/server/core/blobs/upload";
import type { Ctx } from "@/server/core/context";
import { createPhotoImport } from "../create";
import { importPhotos } from "../import-photos";

/** Uploads an archive, by calling the operation in this process. */
export async function uploadedArchive(ctx: Ctx, archive: Uint8Array) {
  const upload = await receiveUpload(
    (async function* () {
      yield archive;
    })(),
    archive.length,
  );
  try {
    return await createPhotoImport(ctx, { archive: upload });
  } finally {
    await upload.discard();
  }
}

/** Does the same as uploadedArchive for files by name. */
export const uploadedPhotos = async (ctx: Ctx, files: Record<string, string | Uint8Array>) =>
  uploadedArchive(ctx, await zipOf(files));

/** Processes all imports that are due now. */
export async function importAll(): Promise<void> {
  while (await importPhotos(new Date()));
}

/** Creates an archive of empty files. yazl takes a minute for ten thousand. */
export function emptyFiles(names: string[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const name of names) {
    const bytes = Buffer.from(name);
    const file = Buffer.alloc(30);
    file.write("PK\x03\x04", "latin1");
    file.writeUInt16LE(bytes.length, 26);
    const entry = Buffer.alloc(46);
    entry.write("PK\x01\x02", "latin1");
    entry.writeUInt16LE(bytes.length, 28);
    entry.writeUInt32LE(offset, 42);
    files.push(file, bytes);
    directory.push(entry, bytes);
    offset += 30 + bytes.length;
  }
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(names.length, 8);
  end.writeUInt16LE(names.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, ...directory, end]);
}
