import { z } from "zod";
import { command } from "@/server/core/operation";
import { changeStatus } from "./change-status";
import { versionPath } from "./input";
import { countIssuingTemplates, stoppedTemplates } from "./issuing-templates";
import { loadAchievement, loadVersion } from "./load";
import { versionTag, versionView } from "./view";

/**
 * Archives a version. Archiving the current version archives the achievement: no new credential states it until a
 * version is published or unarchived, and the answer warns of the templates from which nothing can be issued until then
 * (decision 487). Credentials that state it stay as they are. Emits achievement.version.archived.
 */
export const archiveAchievementVersion = command({
  name: "achievements.versions.archive",
  scope: "achievements:write",
  input: z.strictObject(versionPath),
  tag: versionTag,
  async run(ctx, input) {
    const achievement = await loadAchievement(ctx, input.id, "FOR UPDATE");
    const before = await loadVersion(ctx, achievement.id, input.version);
    const { achievement: after, version } = await changeStatus(ctx, achievement, before, "archive");
    const warnings = stoppedTemplates(after.current_version, await countIssuingTemplates(ctx, after.id));
    return { ...versionView(version, achievement.name), warnings };
  },
});
