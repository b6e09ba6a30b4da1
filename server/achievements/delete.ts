import { z } from "zod";
import { audit } from "@/server/access/audit";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { DomainError } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { loadAchievement } from "./load";
import { achievementTag, achievementView } from "./view";

/**
 * Deletes an achievement that was never published, with its drafts. One that was published stays, because credentials
 * may state it; archive its version instead. Leaves an audit entry.
 *
 * @throws DomainError achievement_in_use
 */
export const deleteAchievement = command({
  name: "achievements.delete",
  scope: "achievements:write",
  input: z.strictObject({ id: id("ach"), ifMatch }),
  async run(ctx, input) {
    // Publishing takes the same lock, and so does a template that refers to the achievement.
    const achievement = await loadAchievement(ctx, input.id, "FOR UPDATE");
    requireMatch(input.ifMatch, achievementTag(achievementView(achievement)));
    const [used] = await ctx.tx.sql(
      `SELECT 1 FROM achievement_versions WHERE org_id = $1 AND achievement_id = $2 AND published_at IS NOT NULL
       UNION ALL SELECT 1 FROM template_versions WHERE org_id = $1 AND achievement_id = $2 LIMIT 1`,
      [ctx.orgId, achievement.id],
    );
    if (used)
      throw new DomainError(
        "achievement_in_use",
        "Only an achievement that was never published and that no template names can be deleted. Archive its current version: then no new credential states it, and what was issued stays.",
      );
    await ctx.tx.sql(`DELETE FROM achievements WHERE org_id = $1 AND id = $2`, [ctx.orgId, achievement.id]);
    await audit(
      ctx,
      "achievement.deleted",
      { type: "achievement", id: publicId("ach", achievement.id) },
      { name: achievement.name },
    );
  },
});
