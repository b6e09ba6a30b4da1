import { z } from "zod";
import { ifMatch } from "@/server/core/entity-tag";
import { command } from "@/server/core/operation";
import { changeImage } from "./change-image";
import { versionPath } from "./input";

/**
 * Removes the picture of a draft; badges are then drawn with its name. Leaves an audit entry, unless there was no
 * picture.
 *
 * @throws DomainError `version_not_draft`
 */
export const deleteAchievementImage = command({
  name: "achievements.versions.deleteImage",
  scope: "achievements:write",
  input: z.strictObject({ ...versionPath, ifMatch }),
  async run(ctx, input) {
    await changeImage(ctx, input, null);
  },
});
