import { route } from "@/server/http/rest/route";
import { unarchiveAchievementVersion } from "@/server/achievements/unarchive-version";
import { versionSchema } from "@/server/achievements/view";

export const POST = route({
  operation: unarchiveAchievementVersion,
  summary: "Bring an archived version back",
  description: "It becomes current where no version is.",
  response: versionSchema,
});
