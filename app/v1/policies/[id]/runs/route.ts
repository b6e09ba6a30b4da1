import { pageOf } from "@/server/core/pagination";
import { listPolicyRuns } from "@/server/policies/list-runs";
import { runSchema } from "@/server/policies/run-view";
import { route } from "@/server/http/rest/route";

export const GET = route({
  operation: listPolicyRuns,
  summary: "List the runs of a policy",
  response: pageOf(runSchema),
});
