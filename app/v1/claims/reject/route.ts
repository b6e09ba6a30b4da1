import { decidedClaimsSchema } from "@/server/claims/claim-view";
import { rejectClaims } from "@/server/claims/reject-claims";
import { route } from "@/server/http/rest/route";

export const POST = route({
  operation: rejectClaims,
  summary: "Reject claims",
  description:
    "Their places are free again. The claimants read the reason; their addresses cannot claim under the link again.",
  response: decidedClaimsSchema,
  example: { request: { ids: ["clm_01k4b2hz3ge5d8s7a6p4c2b1n0"], reason: "The course is for members" } },
});
