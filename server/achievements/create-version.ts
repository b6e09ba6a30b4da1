import { z } from "zod";
import { audit } from "@/server/access/audit";
import { DomainError } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { changeStatus } from "./change-status";
import { changedContent, changedFields } from "./content";
import { versionNumber } from "./input";
import { loadAchievement, loadVersion } from "./load";
import { versionTag, versionView } from "./view";
import { insertVersion } from "./write-version";

const basedOn = versionNumber.optional().meta({
  description:
    "The number of the newest version that you have seen. 412 precondition_failed if another version was made since then, and nothing is done.",
});

/**
 * Creates the next version: a draft, or published at once. Fields that are not sent are copied from the newest version.
 * Leaves an audit entry; publishing emits its event.
 *
 * @throws DomainError `precondition_failed` if the newest version is not the one that `basedOn` names
 */
export const createAchievementVersion = command({
  name: "achievements.versions.create",
  scope: "achievements:write",
  input: z.strictObject({ id: id("ach"), basedOn, ...changedFields, publish: z.boolean().default(false) }),
  tag: versionTag,
  async run(ctx, input) {
    const achievement = await loadAchievement(ctx, input.id, "FOR UPDATE");
    const newest = await loadVersion(ctx, achievement.id, achievement.latest_version);
    if (input.basedOn !== undefined && input.basedOn !== newest.version) {
      throw new DomainError(
        "precondition_failed",
        `Version ${newest.version} (${newest.status}) is the newest, not version ${input.basedOn}. Read it, repeat your change on it, and send basedOn ${newest.version}.`,
      );
    }
    const draft = await insertVersion(
      ctx,
      achievement.id,
      newest.version + 1,
      changedContent(newest.content, input),
      newest,
    );
    await audit(
      ctx,
      "achievement_version.created",
      { type: "achievement_version", id: publicId("acv", draft.id) },
      { achievementId: publicId("ach", achievement.id), version: draft.version },
    );
    const { version } = input.publish ? await changeStatus(ctx, achievement, draft, "publish") : { version: draft };
    return versionView(version, achievement.name);
  },
});
