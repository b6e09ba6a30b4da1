import { z } from "zod";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { checkMergedMetadata, metadata } from "@/server/core/free-json";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { append } from "@/server/events/append";
import { achievementName } from "./input";
import { loadAchievement } from "./load";
import { achievementColumns, achievementTag, achievementView, factsOf, type AchievementRow } from "./view";

/**
 * Changes an achievement's name or metadata; what it says belongs to its versions. A version that was published keeps
 * the name that it states; drafts take the new one. Emits achievement.updated; nothing if nothing changed.
 */
export const updateAchievement = command({
  name: "achievements.update",
  scope: "achievements:write",
  input: z.strictObject({ id: id("ach"), ifMatch, name: achievementName.optional(), metadata }),
  tag: achievementTag,
  async run(ctx, input) {
    const before = await loadAchievement(ctx, input.id, "FOR UPDATE");
    requireMatch(input.ifMatch, achievementTag(achievementView(before)));
    const [row] = await ctx.tx.sql<AchievementRow>(
      `UPDATE achievements SET name = $3, metadata = merge_attributes(metadata, $4), updated_at = $5
       WHERE org_id = $1 AND id = $2 AND (name, metadata) IS DISTINCT FROM ($3, merge_attributes(metadata, $4)) RETURNING ${achievementColumns}`,
      [ctx.orgId, before.id, input.name ?? before.name, input.metadata ?? {}, ctx.now],
    );
    if (!row) return achievementView(before);
    checkMergedMetadata(row.metadata);
    await append(ctx, {
      type: "achievement.updated",
      resourceId: row.id,
      object: factsOf(row),
      ...(row.name !== before.name && { previous: { name: before.name } }),
    });
    return achievementView(row);
  },
});
