import { route } from "@/server/http/rest/route";
import { archiveTemplateVersion } from "@/server/templates/archive-version";
import { versionSchema } from "@/server/templates/view";

export const POST = route({
  operation: archiveTemplateVersion,
  summary: "Archive a version",
  description: "Nothing is issued from it any more; credentials stay as they are.",
  response: versionSchema,
});
