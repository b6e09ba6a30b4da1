import { z } from "zod";
import { audit } from "@/server/access/audit";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { DomainError } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { command } from "@/server/core/operation";
import { changedContent, changedFields } from "./content";
import { versionPath } from "./input";
import { loadAchievement, loadVersion } from "./load";
import { versionColumns, versionTag, versionView, type VersionRow } from "./view";

/** Changes a draft. A published version is immutable: credentials state it. Leaves an audit entry. */
export const updateAchievementVersion = command({
  name: "achievements.versions.update",
  scope: "achievements:write",
  input: z.strictObject({ ...versionPath, ifMatch, ...changedFields }),
  tag: versionTag,
  async run(ctx, input) {
    const achievement = await loadAchievement(ctx, input.id, "FOR UPDATE");
    const before = await loadVersion(ctx, achievement.id, input.version);
    requireMatch(input.ifMatch, versionTag(versionView(before, achievement.name)));
    if (before.status !== "draft") {
      throw new DomainError(
        "version_not_draft",
        `Version ${before.version} is ${before.status}. Make a new version, change that and publish it.`,
      );
    }
    const [row] = await ctx.tx.sql<VersionRow>(
      `UPDATE achievement_versions SET content = $3, updated_at = $4 WHERE org_id = $1 AND id = $2 RETURNING ${versionColumns}`,
      [ctx.orgId, before.id, changedContent(before.content, input), ctx.now],
    );
    await audit(
      ctx,
      "achievement_version.updated",
      { type: "achievement_version", id: publicId("acv", before.id) },
      { achievementId: publicId("ach", achievement.id), version: before.version },
    );
    return versionView(row!, achievement.name);
  },
});
