import { route } from "@/server/http/rest/route";
import { getTemplateVersion } from "@/server/templates/get-version";
import { updateTemplateVersion } from "@/server/templates/update-version";
import { versionSchema } from "@/server/templates/view";

export const GET = route({ operation: getTemplateVersion, summary: "Get a version", response: versionSchema });

export const PATCH = route({
  operation: updateTemplateVersion,
  summary: "Change a draft version",
  response: versionSchema,
  example: { request: { validity: { type: "none" } } },
});
