import { pageOf } from "@/server/core/pagination";
import { listPolicyRemovals, removalSchema } from "@/server/policies/list-run-removals";
import { route } from "@/server/http/rest/route";

export const GET = route({
  operation: listPolicyRemovals,
  summary: "List whose credentials a run ends",
  response: pageOf(removalSchema),
});
