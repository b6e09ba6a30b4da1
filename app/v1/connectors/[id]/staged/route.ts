import { pageOf } from "@/server/core/pagination";
import { route } from "@/server/http/rest/route";
import { listStagedRemovals, stagedRemovalSchema } from "@/server/scim/removals/list";

export const GET = route({
  operation: listStagedRemovals,
  summary: "List what a directory wants removed and a person has not approved",
  response: pageOf(stagedRemovalSchema),
});
