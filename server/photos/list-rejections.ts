import { z } from "zod";
import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { loadImport, type ImportRow } from "./view";

export const photoRejectionSchema = z
  .object({
    index: z.int().meta({ description: "The file's place in the archive, from 0, without the ignored files." }),
    fileName: z
      .string()
      .nullable()
      .meta({ description: "Its path in the archive; null if the person was erased whose id it names." }),
    externalId: z.string().nullable().meta({ description: "The external id that the name states." }),
    code: z.string(),
    reason: z.string().meta({ description: "What is wrong, in words." }),
  })
  .meta({ id: "PhotoRejection" });

export interface RejectionRow {
  index: number;
  file_name: string | null;
  external_id: string | null;
  code: string;
  reason: string;
}

export const fetchRejections = (ctx: Ctx, { id }: ImportRow, after: string | null, take: number, skip = 0) =>
  reading(ctx).sql<RejectionRow>(
    `SELECT "index", file_name, external_id, code, reason FROM photo_rejections
     WHERE org_id = $1 AND import_id = $2 AND "index" > $3 ORDER BY "index" LIMIT $4 OFFSET $5`,
    [ctx.orgId, id, Number(after ?? -1), take, skip],
  );

/** Lists the rejected files of an archive, in the order of the archive, each with its reason. */
export const listPhotoRejections = query({
  name: "photos.imports.rejected",
  scope: "subjects:read",
  input: z.strictObject({ id: id("phi"), ...page }),
  async run(ctx, input) {
    const found = await loadImport(ctx, input.id);
    const listed = await paginate(input, {
      binding: [ctx.orgId, "photo_rejections", found.id],
      fetch: ({ after, take, skip }) => fetchRejections(ctx, found, after, take, skip),
      count: async () => found.rejected,
      keyOf: ({ index }) => String(index),
    });
    return {
      ...listed,
      data: listed.data.map(({ index, file_name, external_id, code, reason }) => ({
        index,
        fileName: file_name,
        externalId: external_id,
        code,
        reason,
      })),
    };
  },
});
