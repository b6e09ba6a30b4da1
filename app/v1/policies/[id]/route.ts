import { deletePolicy } from "@/server/policies/delete";
import { getPolicy } from "@/server/policies/get";
import { updatePolicy } from "@/server/policies/update";
import { savedPolicySchema } from "@/server/policies/matches";
import { policySchema } from "@/server/policies/view";
import { route } from "@/server/http/rest/route";

export const GET = route({ operation: getPolicy, summary: "Get a policy", response: policySchema });

export const PATCH = route({
  operation: updatePolicy,
  summary: "Change a policy",
  description:
    "A run that is under way keeps what the policy said when it began; a halted one can no longer be approved. Sending rule takes the group away, and sending groupId the rule. Raising blastRadius takes policies:approve too.",
  scopeSets: [["policies:write"], ["policies:write", "subjects:read"], ["policies:write", "policies:approve"]],
  response: savedPolicySchema,
  example: { request: { graceDays: 30 } },
});

export const DELETE = route({
  operation: deletePolicy,
  summary: "Delete a policy",
  description: "The credentials that it issued stay as they are.",
  response: null,
});
