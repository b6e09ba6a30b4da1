import { noteStoppedJob } from "@/server/access/note-refusal";
import { standingOf } from "@/server/access/standing";
import type { TxCtx } from "@/server/core/context";
import { publicId } from "@/server/core/ids";
import { jobCommand } from "@/server/core/operation";
import type { ArchivedPhoto, Rejection } from "./archive";
import { endImport } from "./end";
import { erased, namesErased } from "./find-person";
import { holdsImport, type ClaimedImport, type ImportMandate } from "./lease";
import { asRejection, type PreparedPhoto } from "./prepare-photo";

/** The properties that the commands of an import share. */
export const job = {
  standing: standingOf,
  stop: async (ctx: TxCtx, { work }: ImportMandate, why: string) => {
    if (!(await holdsImport(ctx, work))) return false;
    noteStoppedJob(ctx, { actor: work.actor, job: publicId("phi", work.id) });
    await endImport(ctx, work.id, { status: "stopped", reason: why });
    return false;
  },
};

type Outcome = "written" | "unchanged" | "rejected";

/**
 * Writes a prepared photo, or the rejection of its file, together with the progress: a killed process leaves either
 * both or neither.
 *
 * @returns false if this process must stop working on the import
 */
export const recordPhoto = jobCommand<
  ImportMandate & { index: number; photo: ArchivedPhoto; result: PreparedPhoto | Rejection },
  boolean
>({
  ...job,
  name: "photos.imports.photo",
  async run(ctx, { work, index, photo, result }) {
    if (!(await holdsImport(ctx, work))) return false;
    const found = "write" in result ? await written(ctx, result) : result;
    if (typeof found !== "string") await reject(ctx, { work, index, photo }, found);
    const outcome: Outcome = typeof found === "string" ? found : "rejected";
    await ctx.tx.sql(
      `UPDATE photo_imports SET processed = $3, ${outcome} = ${outcome} + 1, attempts = 1 WHERE org_id = $1 AND id = $2`,
      [ctx.orgId, work.id, index + 1],
    );
    return true;
  },
});

async function written(ctx: TxCtx, { subjectId, write }: PreparedPhoto): Promise<Outcome | Rejection> {
  const [before] = await ctx.tx.sql<{ photo_at: Date | null }>(
    `SELECT photo_at FROM subjects WHERE org_id = $1 AND id = $2 FOR UPDATE`,
    [ctx.orgId, subjectId],
  );
  try {
    const after = await write(ctx);
    return after.photoUpdatedAt === (before?.photo_at?.toISOString() ?? null) ? "unchanged" : "written";
  } catch (error) {
    // setPhoto refuses before it writes, so nothing has to be undone.
    return asRejection(error);
  }
}

async function reject(
  ctx: TxCtx,
  { work, index, photo }: { work: ClaimedImport; index: number; photo: ArchivedPhoto },
  rejection: Rejection,
): Promise<void> {
  const isErased = await namesErased(ctx, photo);
  const { code, reason } = isErased ? erased() : rejection;
  const names = isErased ? [null, null] : [shown(photo.fileName), shown(photo.externalId)];
  await ctx.tx.sql(
    `INSERT INTO photo_rejections (org_id, import_id, "index", file_name, external_id, code, reason) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [ctx.orgId, work.id, index, ...names, code, reason],
  );
}

/** A file name in a form that can be stored and shown: without NUL, and no longer than file systems allow. */
const shown = (name: string) => name.replaceAll("\u0000", "").slice(0, 255).toWellFormed();

/** Ends an import whose photos are all done. */
export const completeImport = jobCommand<ImportMandate, boolean>({
  ...job,
  name: "photos.imports.complete",
  async run(ctx, { work }) {
    if (await holdsImport(ctx, work)) await endImport(ctx, work.id, { status: "completed" });
    return false;
  },
});

/** Ends an import whose archive the server has lost. */
export const stopImport = jobCommand<ImportMandate & { reason: string }, boolean>({
  ...job,
  name: "photos.imports.stop",
  async run(ctx, { work, reason }) {
    if (await holdsImport(ctx, work)) await endImport(ctx, work.id, { status: "stopped", reason });
    return false;
  },
});
