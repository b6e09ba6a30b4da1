import { z } from "zod";
import { sql } from "@/server/core/db";
import { openBlob } from "@/server/core/blobs/store";
import type { Download } from "@/server/core/download";
import { DomainError, notFound } from "@/server/core/errors";
import { publicId, readId, type Id } from "@/server/core/ids";
import { lookUp } from "@/server/core/look-up";
import { query } from "@/server/core/operation";
import { versionPath } from "./input";
import { loadAchievement, loadVersion } from "./load";

/** Returns the picture of a version as PNG, also for a draft. */
export const getAchievementImage = query({
  name: "achievements.versions.image",
  scope: "achievements:read",
  input: z.strictObject(versionPath),
  async run(ctx, input): Promise<Download> {
    const achievement = await loadAchievement(ctx, input.id);
    const { id, image } = await loadVersion(ctx, achievement.id, input.version);
    if (image === null) throw notFound("image of achievement version", publicId("acv", id));
    const picture = await openAchievementImage(ctx.orgId, image);
    return { ...picture, headers: { "cache-control": "private, no-cache", vary: "authorization" } };
  },
});

/**
 * Opens the picture of a version for anyone.
 * @throws DomainError not_found, also for a draft
 */
export async function publicAchievementImage(id: string): Promise<{ orgId: Id<"org">; picture: Download }> {
  const [row] = await lookUp<{ org_id: Id<"org">; sha256: string }>(
    sql,
    `SELECT i.org_id, i.sha256 FROM achievement_versions a
     JOIN achievement_images i ON i.org_id = a.org_id AND i.version_id = a.id WHERE a.id = $1 AND a.published_at IS NOT NULL`,
    [readId("acv", id)],
  );
  if (!row) throw new DomainError("not_found", "There is no published achievement with this id that has a picture.");
  const picture = await openAchievementImage(row.org_id, row.sha256);
  return { orgId: row.org_id, picture: { ...picture, headers: { "cache-control": "public, max-age=3600" } } };
}

/** Opens the file of a picture whose row has been read. */
export async function openAchievementImage(orgId: Id<"org">, sha256: string): Promise<Download> {
  const blob = await openBlob(orgId, sha256);
  if (!blob)
    throw new DomainError(
      "file_missing",
      "The picture is not in the file store. It was restored without its files, or DATA_DIR or S3_BUCKET was changed. Make a new version of the achievement and set its picture again.",
    );
  return { type: "image/png", size: blob.size, chunks: blob.chunks, etag: `"${sha256.slice(0, 27)}"` };
}
