import { z } from "zod";
import { newId } from "@/server/core/ids";
import { metadata } from "@/server/core/free-json";
import { command } from "@/server/core/operation";
import { append } from "@/server/events/append";
import { changeStatus } from "./change-status";
import { contentFields, contentOf } from "./content";
import { achievementName } from "./input";
import { achievementColumns, achievementTag, achievementView, factsOf, versionView, type AchievementRow } from "./view";
import { insertVersion } from "./write-version";

/**
 * Creates an achievement and its version 1: a draft, or published at once. Emits achievement.created; publishing emits
 * achievement.version.published.
 */
export const createAchievement = command({
  name: "achievements.create",
  scope: "achievements:write",
  input: z.strictObject({
    name: achievementName,
    ...contentFields,
    metadata,
    publish: z.boolean().default(false),
  }),
  tag: achievementTag,
  async run(ctx, input) {
    const [draft] = await ctx.tx.sql<AchievementRow>(
      `INSERT INTO achievements (org_id, id, name, metadata, created_at, updated_at) VALUES ($1, $2, $3, merge_attributes('{}', $4), $5, $5)
       RETURNING ${achievementColumns}`,
      [ctx.orgId, newId("ach"), input.name, input.metadata ?? {}, ctx.now],
    );
    const first = await insertVersion(ctx, draft!.id, 1, contentOf(input));
    await append(ctx, { type: "achievement.created", resourceId: draft!.id, object: factsOf(draft!) });
    const { achievement, version } = input.publish
      ? await changeStatus(ctx, draft!, first, "publish")
      : { achievement: draft!, version: first };
    return { ...achievementView(achievement), templateCount: 0, version: versionView(version, achievement.name) };
  },
});
