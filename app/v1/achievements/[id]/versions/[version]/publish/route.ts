import { route } from "@/server/http/rest/route";
import { publishAchievementVersion } from "@/server/achievements/publish-version";
import { versionSchema } from "@/server/achievements/view";

export const POST = route({
  operation: publishAchievementVersion,
  summary: "Publish a version",
  description: "It can no longer change, and new credentials state it.",
  response: versionSchema,
});
