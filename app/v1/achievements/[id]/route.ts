import { route } from "@/server/http/rest/route";
import { deleteAchievement } from "@/server/achievements/delete";
import { getAchievement } from "@/server/achievements/get";
import { updateAchievement } from "@/server/achievements/update";
import { achievementSchema, achievementWithVersionSchema } from "@/server/achievements/view";

export const GET = route({
  operation: getAchievement,
  summary: "Get an achievement with its current version",
  response: achievementWithVersionSchema,
});

export const PATCH = route({
  operation: updateAchievement,
  summary: "Change an achievement's name or metadata",
  description:
    "Versions that were published keep the name that they state; drafts and later versions take the new one.",
  response: achievementSchema,
  example: { request: { name: "Master of Science in Computer Science (2027)" } },
});

export const DELETE = route({
  operation: deleteAchievement,
  summary: "Delete an achievement that was never published",
  description:
    "Its drafts go with it. 409 achievement_in_use once a version was published or a template names it; archive the version instead.",
  response: null,
});
