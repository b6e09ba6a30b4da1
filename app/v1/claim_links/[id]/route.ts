import { deleteClaimLink } from "@/server/claims/delete-link";
import { getClaimLink } from "@/server/claims/get-link";
import { updateClaimLink } from "@/server/claims/update-link";
import { claimLinkSchema } from "@/server/claims/view";
import { route } from "@/server/http/rest/route";

export const GET = route({ operation: getClaimLink, summary: "Get a claim link", response: claimLinkSchema });

export const PATCH = route({
  operation: updateClaimLink,
  summary: "Change a claim link",
  description: "What was claimed stays as it is.",
  response: claimLinkSchema,
  example: { request: { maxClaims: 300 } },
});

export const DELETE = route({
  operation: deleteClaimLink,
  summary: "Delete a claim link",
  description: "Its page says that it has ended. The credentials that were claimed stay as they are.",
  response: null,
});
