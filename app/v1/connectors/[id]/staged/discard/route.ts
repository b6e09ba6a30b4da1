import { route } from "@/server/http/rest/route";
import { discardStagedRemovals } from "@/server/scim/removals/discard";
import { decisionSchema } from "@/server/scim/removals/take-staged";

export const POST = route({
  operation: discardStagedRemovals,
  summary: "Discard what a directory wants removed",
  description: "Nobody is removed, and SCIM shows the directory what is applied.",
  response: decisionSchema,
});
