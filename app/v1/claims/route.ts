import { claimSchema } from "@/server/claims/claim-view";
import { listClaims } from "@/server/claims/list-claims";
import { pageOf } from "@/server/core/pagination";
import { route } from "@/server/http/rest/route";

export const GET = route({
  operation: listClaims,
  summary: "List claims",
  description: "Oldest first.",
  response: pageOf(claimSchema),
});
