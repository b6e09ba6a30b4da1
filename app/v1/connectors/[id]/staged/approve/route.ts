import { route } from "@/server/http/rest/route";
import { approveStagedRemovals } from "@/server/scim/removals/approve";
import { decisionSchema } from "@/server/scim/removals/take-staged";

export const POST = route({
  operation: approveStagedRemovals,
  summary: "Approve what a directory wants removed",
  description: "At most 5,000 removals at once, the oldest first; repeat it while remaining is above 0.",
  response: decisionSchema,
});
