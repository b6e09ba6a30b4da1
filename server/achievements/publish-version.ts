import { z } from "zod";
import { command } from "@/server/core/operation";
import { changeStatus } from "./change-status";
import { versionPath } from "./input";
import { loadAchievement, loadVersion } from "./load";
import { versionTag, versionView } from "./view";

/**
 * Publishes a version: it can no longer change, and new credentials state it. Publishing an older one again makes it
 * current again. Emits achievement.version.published.
 */
export const publishAchievementVersion = command({
  name: "achievements.versions.publish",
  scope: "achievements:write",
  input: z.strictObject(versionPath),
  tag: versionTag,
  async run(ctx, input) {
    const achievement = await loadAchievement(ctx, input.id, "FOR UPDATE");
    const before = await loadVersion(ctx, achievement.id, input.version);
    const { version } = await changeStatus(ctx, achievement, before, "publish");
    return versionView(version, achievement.name);
  },
});
