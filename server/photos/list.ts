import { z } from "zod";
import { reading } from "@/server/core/db";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { importColumns, importView, type ImportRow } from "./view";

/** Lists imports of photos, newest first. */
export const listPhotoImports = query({
  name: "photos.imports.list",
  scope: "subjects:read",
  input: z.strictObject(page),
  async run(ctx, input) {
    const { sql } = reading(ctx);
    const found = await paginate(input, {
      binding: [ctx.orgId, "photo_imports"],
      fetch: ({ after, take, skip }) =>
        sql<ImportRow>(
          `SELECT ${importColumns} FROM photo_imports WHERE org_id = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3 OFFSET $4`,
          [ctx.orgId, after, take, skip],
        ),
      count: async () =>
        (await sql<{ n: number }>(`SELECT count(*) AS n FROM photo_imports WHERE org_id = $1`, [ctx.orgId]))[0]!.n,
      keyOf: (row) => row.id,
    });
    return { ...found, data: found.data.map(importView) };
  },
});
