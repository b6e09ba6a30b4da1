import { z } from "zod";
import { command } from "@/server/core/operation";
import { changeStatus } from "./change-status";
import { versionPath } from "./input";
import { loadAchievement, loadVersion } from "./load";
import { versionTag, versionView } from "./view";

/**
 * Restores an archived version to the status that it had before, and makes a published one current if the achievement
 * has no current version. Emits achievement.updated.
 */
export const unarchiveAchievementVersion = command({
  name: "achievements.versions.unarchive",
  scope: "achievements:write",
  input: z.strictObject(versionPath),
  tag: versionTag,
  async run(ctx, input) {
    const achievement = await loadAchievement(ctx, input.id, "FOR UPDATE");
    const before = await loadVersion(ctx, achievement.id, input.version);
    const { version } = await changeStatus(ctx, achievement, before, "unarchive");
    return versionView(version, achievement.name);
  },
});
