import { route } from "@/server/http/rest/route";
import { publishTemplateVersion } from "@/server/templates/publish-version";
import { versionSchema } from "@/server/templates/view";

export const POST = route({
  operation: publishTemplateVersion,
  summary: "Publish a version",
  description: "It can no longer change, and new credentials use it.",
  response: versionSchema,
});
