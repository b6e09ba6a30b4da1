import { z } from "zod";
import { audit } from "@/server/access/audit";
import { standingOf } from "@/server/access/standing";
import { FileError } from "@/server/connectors/file/file-error";
import { storeBlob } from "@/server/core/blobs/store";
import type { Upload } from "@/server/core/blobs/upload";
import { upload } from "@/server/core/blobs/upload-input";
import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { DomainError } from "@/server/core/errors";
import { newId, publicId } from "@/server/core/ids";
import { invalidInput } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { openPhotos } from "./archive";
import { importColumns, importView, type ImportRow } from "./view";

/** The most unfinished imports of an organisation. Their archives are stored until they are over. */
const waitingLimit = 50;

/**
 * Queues the import of a ZIP archive of photos whose files are named by external id. Each photo is set as by setPhoto,
 * with the rights of the uploader. An archive that cannot be read is refused at once. Leaves an audit entry.
 */
export const createPhotoImport = command({
  name: "photos.import",
  scope: "subjects:write",
  input: z.strictObject({ archive: upload }),
  standing: standingOf,
  async prepare(ctx, { archive }) {
    await requireRoom(ctx);
    const found = await contentsOf(archive);
    return { ...found, sha256: await storeBlob(ctx.orgId, archive) };
  },
  async run(ctx, { archive }, { total, ignored, sha256 }) {
    await requireRoom(ctx);
    const id = newId("phi");
    const [row] = await ctx.tx.sql<ImportRow>(
      `INSERT INTO photo_imports (org_id, id, actor, scopes, access_token, sha256, size, total, ignored, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING ${importColumns}`,
      [
        ctx.orgId,
        id,
        ctx.actor,
        [...ctx.scopes],
        ctx.accessToken ?? null,
        sha256,
        archive.size,
        total,
        ignored,
        ctx.now,
      ],
    );
    await audit(ctx, "photo_import.created", { type: "photo_import", id: publicId("phi", id) }, { total });
    ctx.tx.nudgeAfterCommit("photos");
    return importView(row!);
  },
});

async function contentsOf({ path }: Upload): Promise<{ total: number; ignored: number }> {
  try {
    const { archive, photos, ignored } = await openPhotos(path);
    archive.close();
    return { total: photos.length, ignored };
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw invalidInput([{ pointer: "/archive", code: "invalid_format", message: error.message }]);
  }
}

/** @throws DomainError limit_reached if no further archive may be queued */
async function requireRoom(ctx: Ctx): Promise<void> {
  const [row] = await reading(ctx).sql<{ n: number }>(
    `SELECT count(*) AS n FROM photo_imports WHERE org_id = $1 AND status IN ('queued', 'running')`,
    [ctx.orgId],
  );
  if (row!.n >= waitingLimit)
    throw new DomainError(
      "limit_reached",
      `${waitingLimit} archives of this organisation wait to be imported, which is the limit. Wait until one is done, or cancel one.`,
    );
}
