import { route } from "@/server/http/rest/route";
import { unarchiveTemplateVersion } from "@/server/templates/unarchive-version";
import { versionSchema } from "@/server/templates/view";

export const POST = route({
  operation: unarchiveTemplateVersion,
  summary: "Bring an archived version back",
  description: "It becomes current where no version is.",
  response: versionSchema,
});
