import { z } from "zod";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { countIssuingTemplates } from "./issuing-templates";
import { loadShownVersion, loadAchievement } from "./load";
import { achievementTag, achievementView, versionView } from "./view";

/** Returns one achievement with its current version or, before the first publication, its newest version. */
export const getAchievement = query({
  name: "achievements.get",
  scope: "achievements:read",
  input: z.strictObject({ id: id("ach") }),
  tag: achievementTag,
  async run(ctx, input) {
    const achievement = await loadAchievement(ctx, input.id);
    return {
      ...achievementView(achievement),
      templateCount: await countIssuingTemplates(ctx, achievement.id),
      version: versionView(await loadShownVersion(ctx, achievement), achievement.name),
    };
  },
});
