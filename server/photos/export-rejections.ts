import { z } from "zod";
import { csvDownload } from "@/server/core/csv";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { fetchRejections } from "./list-rejections";
import { loadImport } from "./view";

/** Exports the rejected files of an archive as CSV, each with its reason. */
export const exportPhotoRejections = query({
  name: "photos.imports.rejected.export",
  scope: "subjects:read",
  input: z.strictObject({ id: id("phi") }),
  async run(ctx, input) {
    const found = await loadImport(ctx, input.id);
    return csvDownload({
      fileName: `${publicId("phi", found.id)}-rejected.csv`,
      columns: ["file", "externalId", "code", "reason"],
      fetch: (after, take) => fetchRejections(ctx, found, after, take),
      keyOf: ({ index }) => String(index),
      values: (rows) => rows.map(({ file_name, external_id, code, reason }) => [file_name, external_id, code, reason]),
    });
  },
});
