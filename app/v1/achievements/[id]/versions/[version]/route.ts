import { route } from "@/server/http/rest/route";
import { getAchievementVersion } from "@/server/achievements/get-version";
import { updateAchievementVersion } from "@/server/achievements/update-version";
import { versionSchema } from "@/server/achievements/view";

export const GET = route({ operation: getAchievementVersion, summary: "Get a version", response: versionSchema });

export const PATCH = route({
  operation: updateAchievementVersion,
  summary: "Change a draft version",
  response: versionSchema,
  example: { request: { tags: ["computer science", "research"] } },
});
