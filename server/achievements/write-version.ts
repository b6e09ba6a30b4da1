import type { TxCtx } from "@/server/core/context";
import { newId, type Id } from "@/server/core/ids";
import type { AchievementContent } from "./content";
import { versionColumns, type VersionRow } from "./view";

/**
 * Inserts a version as a draft, with the picture of `imageOf`; it is then the newest one. The caller must have locked
 * the achievement's row, so that version numbers are unique.
 */
export async function insertVersion(
  ctx: TxCtx,
  achievementId: Id<"ach">,
  version: number,
  content: AchievementContent,
  imageOf: Pick<VersionRow, "id"> | null = null,
): Promise<VersionRow> {
  ctx.tx.send(`UPDATE achievements SET latest_version = $3 WHERE org_id = $1 AND id = $2 AND latest_version <> $3`, [
    ctx.orgId,
    achievementId,
    version,
  ]);
  const [row] = await ctx.tx.sql<VersionRow>(
    `INSERT INTO achievement_versions (org_id, id, achievement_id, version, status, content, created_at, updated_at)
     VALUES ($1, $2, $3, $4, 'draft', $5, $6, $6) RETURNING ${versionColumns}`,
    [ctx.orgId, newId("acv"), achievementId, version, content, ctx.now],
  );
  if (!imageOf) return row!;
  const [copied] = await ctx.tx.sql<{ sha256: string }>(
    `INSERT INTO achievement_images (org_id, version_id, sha256) SELECT $1, $2, sha256 FROM achievement_images
     WHERE org_id = $1 AND version_id = $3 RETURNING sha256`,
    [ctx.orgId, row!.id, imageOf.id],
  );
  return { ...row!, image: copied?.sha256 ?? null };
}
