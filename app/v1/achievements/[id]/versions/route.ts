import { pageOf } from "@/server/core/pagination";
import { route } from "@/server/http/rest/route";
import { createAchievementVersion } from "@/server/achievements/create-version";
import { listAchievementVersions } from "@/server/achievements/list-versions";
import { versionSchema, versionSummarySchema } from "@/server/achievements/view";

export const GET = route({
  operation: listAchievementVersions,
  summary: "List an achievement's versions",
  response: pageOf(versionSummarySchema),
});

export const POST = route({
  operation: createAchievementVersion,
  summary: "Create a version",
  description: "What is not sent is taken from the newest version.",
  response: versionSchema,
  statuses: [201],
  example: { request: { basedOn: 1, creditsAvailable: 90, publish: true } },
});
