import { upload } from "@/server/core/blobs/upload-input";
import { query } from "@/server/core/operation";
import { Turns } from "@/server/core/turns";
import { z } from "zod";
import { sourceOf } from "./file/convert";
import { FileError } from "./file/file-error";
import { readSample, type FileSample } from "./file/sample";

const rowCount = 500;
const turns = new Turns({ doing: "samples are being read", atOnce: 2, each: 1, all: 20, waitMs: 20_000 });

/**
 * Reads the columns and the first 500 rows of a file that the browser cannot parse: a workbook, an archive or JSON lines.
 * Stores nothing.
 */
export const sampleConnectorFile = query({
  name: "connectors.sample",
  scope: "connectors:write",
  input: z.strictObject({ file: upload }),
  run: (ctx, { file }) =>
    turns.take(ctx.orgId, async (): Promise<FileSample & { error: string | null }> => {
      try {
        const found = await readSample(sourceOf(file), { encoding: "auto", delimiter: "auto" }, rowCount);
        return { ...found, error: null };
      } catch (error) {
        if (!(error instanceof FileError)) throw error;
        return { columns: [], rows: [], error: error.message };
      }
    }),
});
