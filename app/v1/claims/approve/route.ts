import { approveClaims } from "@/server/claims/approve-claims";
import { decidedClaimsSchema } from "@/server/claims/claim-view";
import { route } from "@/server/http/rest/route";

export const POST = route({
  operation: approveClaims,
  summary: "Approve claims",
  description: "Each gets its credential. One that cannot has its error, and the others go on.",
  response: decidedClaimsSchema,
  example: { request: { ids: ["clm_01k4b2hz3ge5d8s7a6p4c2b1n0"] } },
});
