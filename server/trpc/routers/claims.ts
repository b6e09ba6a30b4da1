import { approveClaims } from "@/server/claims/approve-claims";
import { createClaimLink } from "@/server/claims/create-link";
import { deleteClaimLink } from "@/server/claims/delete-link";
import { getClaimLink } from "@/server/claims/get-link";
import { listClaims } from "@/server/claims/list-claims";
import { listClaimLinks } from "@/server/claims/list-links";
import { claimReadiness } from "@/server/claims/readiness";
import { rejectClaims } from "@/server/claims/reject-claims";
import { updateClaimLink } from "@/server/claims/update-link";
import { fromCommand, fromQuery, fromTagged, fromTaggedCommand, router } from "../trpc";

export const claimsRouter = router({
  list: fromQuery(listClaims),
  readiness: fromQuery(claimReadiness),
  approve: fromCommand(approveClaims),
  reject: fromCommand(rejectClaims),
  links: router({
    list: fromQuery(listClaimLinks),
    get: fromTagged(getClaimLink),
    create: fromTaggedCommand(createClaimLink),
    update: fromTaggedCommand(updateClaimLink),
    delete: fromCommand(deleteClaimLink),
  }),
});
