import { z } from "zod";
import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { notFound } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";

const statuses = ["queued", "running", "completed", "cancelled", "stopped"] as const;

/** A row of `photo_imports`. */
export interface ImportRow {
  id: Id<"phi">;
  status: (typeof statuses)[number];
  size: number;
  total: number;
  processed: number;
  written: number;
  unchanged: number;
  rejected: number;
  ignored: number;
  stop_reason: string | null;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
}
export const importColumns =
  "id, status, size, total, processed, written, unchanged, rejected, ignored, stop_reason, created_at, started_at, finished_at";

const time = z.iso.datetime();

export const photoImportSchema = z
  .object({
    id: z.string(),
    object: z.literal("photo_import"),
    status: z.enum(statuses).meta({
      description:
        "stopped where the key, client or person that asked for it was revoked, left or lost the scope, or where the archive was lost; stopReason says which.",
    }),
    stopReason: z.string().nullable().meta({ description: "Why it was stopped, in words." }),
    size: z.int().meta({ description: "Bytes of the archive." }),
    counts: z.object({
      total: z.int().meta({ description: "Files in the archive, without the ignored ones." }),
      processed: z.int(),
      written: z.int().meta({ description: "Became the photo of their person." }),
      unchanged: z.int().meta({ description: "Were the photo of their person already: nothing was written." }),
      rejected: z.int().meta({ description: "Became nobody's photo; the list of rejected files says why." }),
      ignored: z.int().meta({
        description: "Files that operating systems put beside others, such as .DS_Store and those in __MACOSX.",
      }),
    }),
    createdAt: time,
    startedAt: time.nullable(),
    finishedAt: time.nullable(),
  })
  .meta({ id: "PhotoImport" });
export type PhotoImportView = z.output<typeof photoImportSchema>;

export function importView(row: ImportRow): PhotoImportView {
  const { total, processed, written, unchanged, rejected, ignored } = row;
  return {
    id: publicId("phi", row.id),
    object: "photo_import",
    status: row.status,
    stopReason: row.stop_reason,
    size: row.size,
    counts: { total, processed, written, unchanged, rejected, ignored },
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}

/** @throws DomainError not_found, also for an import of another organisation. */
export async function loadImport(ctx: Ctx, id: Id<"phi">, lock: "" | "FOR UPDATE" = ""): Promise<ImportRow> {
  const [row] = await reading(ctx).sql<ImportRow>(
    `SELECT ${importColumns} FROM photo_imports WHERE org_id = $1 AND id = $2 ${lock}`,
    [ctx.orgId, id],
  );
  if (!row) throw notFound("photo import", publicId("phi", id));
  return row;
}
