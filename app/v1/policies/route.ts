import { pageOf } from "@/server/core/pagination";
import { createPolicy } from "@/server/policies/create";
import { listPolicies } from "@/server/policies/list";
import { savedPolicySchema } from "@/server/policies/matches";
import { policySchema } from "@/server/policies/view";
import { route } from "@/server/http/rest/route";

export const GET = route({ operation: listPolicies, summary: "List policies", response: pageOf(policySchema) });

export const POST = route({
  operation: createPolicy,
  summary: "Define a policy",
  description:
    "People who match its rule, or are in its group, hold a credential of its template. Nothing is issued before it is applied, or its schedule comes. A rule takes the scope subjects:read too.",
  scopeSets: [["policies:write"], ["policies:write", "subjects:read"]],
  response: savedPolicySchema,
  statuses: [201],
  location: ({ id }) => `/v1/policies/${id}`,
  example: {
    request: {
      name: "Student IDs",
      templateId: "tpl_01k4azy3b1n2m3q4w5e6r7t8y9",
      rule: {
        all: [
          { field: "attributes.role", op: "eq", value: "student" },
          { field: "attributes.endDate", op: "after", value: "now" },
        ],
      },
      onExit: "suspend",
      graceDays: 14,
      schedule: { cron: "0 5 * * *", timeZone: "Europe/Berlin" },
    },
  },
});
