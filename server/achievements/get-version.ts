import { z } from "zod";
import { query } from "@/server/core/operation";
import { versionPath } from "./input";
import { loadAchievement, loadVersion } from "./load";
import { versionTag, versionView } from "./view";

/** Returns one version of an achievement, with its content. */
export const getAchievementVersion = query({
  name: "achievements.versions.get",
  scope: "achievements:read",
  input: z.strictObject(versionPath),
  tag: versionTag,
  async run(ctx, input) {
    const achievement = await loadAchievement(ctx, input.id);
    return versionView(await loadVersion(ctx, achievement.id, input.version), achievement.name);
  },
});
