import type { z } from "zod";
import { audit } from "@/server/access/audit";
import type { Ctx, TxCtx } from "@/server/core/context";
import { requireMatch } from "@/server/core/entity-tag";
import { DomainError } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import { loadAchievement, loadVersion } from "./load";
import { versionTag, versionView, type AchievementRow, type VersionRow, type versionSchema } from "./view";

interface Named {
  id: Id<"ach">;
  version: number;
}

/** @throws DomainError `not_found`; `version_not_draft`, because credentials state published versions */
export async function loadDraft(
  ctx: Ctx,
  { id, version }: Named,
  lock: "" | "FOR UPDATE" = "",
): Promise<{ achievement: AchievementRow; before: VersionRow }> {
  const achievement = await loadAchievement(ctx, id, lock);
  const before = await loadVersion(ctx, achievement.id, version);
  if (before.status !== "draft")
    throw new DomainError(
      "version_not_draft",
      `Version ${before.version} is ${before.status}. Make a new version, change that and publish it.`,
    );
  return { achievement, before };
}

/** Sets the picture of a draft, or removes it (null). Leaves an audit entry where it changes. */
export async function changeImage(
  ctx: TxCtx,
  input: Named & { ifMatch?: string | undefined },
  sha256: string | null,
): Promise<z.output<typeof versionSchema>> {
  const { achievement, before } = await loadDraft(ctx, input, "FOR UPDATE");
  requireMatch(input.ifMatch, versionTag(versionView(before, achievement.name)));
  if (before.image === sha256) return versionView(before, achievement.name);
  await ctx.tx.sql(`DELETE FROM achievement_images WHERE org_id = $1 AND version_id = $2`, [ctx.orgId, before.id]);
  if (sha256 !== null)
    await ctx.tx.sql(`INSERT INTO achievement_images (org_id, version_id, sha256) VALUES ($1, $2, $3)`, [
      ctx.orgId,
      before.id,
      sha256,
    ]);
  await ctx.tx.sql(`UPDATE achievement_versions SET updated_at = $3 WHERE org_id = $1 AND id = $2`, [
    ctx.orgId,
    before.id,
    ctx.now,
  ]);
  await audit(
    ctx,
    "achievement_version.updated",
    { type: "achievement_version", id: publicId("acv", before.id) },
    { achievementId: publicId("ach", achievement.id), version: before.version },
  );
  return versionView({ ...before, image: sha256, updated_at: ctx.now }, achievement.name);
}
