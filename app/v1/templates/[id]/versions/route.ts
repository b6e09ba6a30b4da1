import { pageOf } from "@/server/core/pagination";
import { route } from "@/server/http/rest/route";
import { createTemplateVersion } from "@/server/templates/create-version";
import { listTemplateVersions } from "@/server/templates/list-versions";
import { versionSchema, versionSummarySchema } from "@/server/templates/view";

export const GET = route({
  operation: listTemplateVersions,
  summary: "List a template's versions",
  response: pageOf(versionSummarySchema),
});

export const POST = route({
  operation: createTemplateVersion,
  summary: "Create a version",
  description: "What is not sent is taken from the newest version.",
  response: versionSchema,
  statuses: [201],
  example: { request: { validity: { type: "fixed_date", date: "2027-09-30" } } },
});
