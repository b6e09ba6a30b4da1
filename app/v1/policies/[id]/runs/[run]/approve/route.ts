import { approvePolicyRun } from "@/server/policies/approve-run";
import { runSchema } from "@/server/policies/run-view";
import { route } from "@/server/http/rest/route";

export const POST = route({
  operation: approvePolicyRun,
  summary: "Approve what a halted run would do",
  description:
    "Within 24 hours. Ends those of the planned credentials that are still due, and issues what is due today. 409 plan_changed where others would be ended too, or where the policy was changed since.",
  response: runSchema,
  example: { request: { planHash: "3q2-7wQm1nT8rL5kXv0cZg" } },
  statuses: [200, 202],
  respond: (run) => ({ status: run.status === "running" ? 202 : 200, body: run }),
  location: ({ policyId, id }) => `/v1/policies/${policyId}/runs/${id}`,
});
