import { applyPolicy } from "@/server/policies/apply";
import { runSchema } from "@/server/policies/run-view";
import { route } from "@/server/http/rest/route";

export const POST = route({
  operation: applyPolicy,
  summary: "Run a policy",
  description:
    "200 with the run once it is over, also where it was halted and changed nothing. 202 where it takes longer, or waits for a held run of a connector: follow it by its id. With planHash, nothing is suspended or revoked that the preview did not name: 409 plan_changed.",
  response: runSchema,
  statuses: [200, 202],
  respond: (run) => ({ status: run.status === "running" || run.status === "waiting" ? 202 : 200, body: run }),
  location: ({ policyId, id }) => `/v1/policies/${policyId}/runs/${id}`,
});
