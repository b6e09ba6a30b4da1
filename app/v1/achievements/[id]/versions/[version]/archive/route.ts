import { route } from "@/server/http/rest/route";
import { archiveAchievementVersion } from "@/server/achievements/archive-version";
import { archivedVersionSchema } from "@/server/achievements/view";

export const POST = route({
  operation: archiveAchievementVersion,
  summary: "Archive a version",
  description:
    "New credentials no longer state it; those that do stay as they are. The answer warns where nothing can be issued from templates any more.",
  response: archivedVersionSchema,
});
