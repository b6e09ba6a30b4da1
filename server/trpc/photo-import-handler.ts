import { createPhotoImport } from "@/server/photos/create";
import { archiveLimit } from "@/server/photos/limits";
import { uploadHandler } from "./upload-handler";

/** Takes an archive of photos from a page of the console. */
export const photoImportHandler = uploadHandler(createPhotoImport, {
  field: "archive",
  partName: "file",
  types: ["application/zip"],
  limit: archiveLimit,
});
