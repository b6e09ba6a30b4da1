import { discardPolicyRun } from "@/server/policies/discard-run";
import { runSchema } from "@/server/policies/run-view";
import { route } from "@/server/http/rest/route";

export const POST = route({
  operation: discardPolicyRun,
  summary: "Discard what a halted run would do",
  description: "Nobody loses a credential by it. The next run looks at everybody anew.",
  response: runSchema,
});
