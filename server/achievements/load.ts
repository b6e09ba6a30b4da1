import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { DomainError, notFound } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import { achievementColumns, versionColumns, type AchievementRow, type VersionRow } from "./view";

/** @throws DomainError not_found, also for an achievement of another organisation. */
export async function loadAchievement(
  ctx: Ctx,
  id: Id<"ach">,
  lock: "" | "FOR UPDATE" | "FOR SHARE" = "",
): Promise<AchievementRow> {
  const [row] = await reading(ctx).sql<AchievementRow>(
    `SELECT ${achievementColumns} FROM achievements WHERE org_id = $1 AND id = $2 ${lock}`,
    [ctx.orgId, id],
  );
  if (!row) throw notFound("achievement", publicId("ach", id));
  return row;
}

/** @throws DomainError not_found. */
export async function loadVersion(ctx: Ctx, achievementId: Id<"ach">, version: number): Promise<VersionRow> {
  const [row] = await reading(ctx).sql<VersionRow>(
    `SELECT ${versionColumns} FROM achievement_versions WHERE org_id = $1 AND achievement_id = $2 AND version = $3`,
    [ctx.orgId, achievementId, version],
  );
  if (!row)
    throw new DomainError(
      "not_found",
      `The achievement ${JSON.stringify(publicId("ach", achievementId))} has no version ${version}.`,
    );
  return row;
}

/** Loads the current version or, if none is current, the newest. Every achievement has at least one version. */
export async function loadShownVersion(ctx: Ctx, achievement: AchievementRow): Promise<VersionRow> {
  return loadVersion(ctx, achievement.id, achievement.current_version ?? achievement.latest_version);
}
