import { createClaimLink } from "@/server/claims/create-link";
import { listClaimLinks } from "@/server/claims/list-links";
import { claimLinkSchema } from "@/server/claims/view";
import { pageOf } from "@/server/core/pagination";
import { route } from "@/server/http/rest/route";

export const GET = route({ operation: listClaimLinks, summary: "List claim links", response: pageOf(claimLinkSchema) });

export const POST = route({
  operation: createClaimLink,
  summary: "Create a claim link",
  description:
    "Whoever opens its url proves an e-mail address, fills in the fields, and holds a credential of the template at once, or waits for approval. One claim an address.",
  response: claimLinkSchema,
  statuses: [201],
  location: ({ id }) => `/v1/claim_links/${id}`,
  example: {
    request: {
      templateId: "tpl_01k4azy3b1n2m3q4w5e6r7t8y9",
      name: "Open day 2026",
      maxClaims: 200,
      expiresAt: "2026-10-01T18:00:00Z",
      approval: false,
      fields: [{ binding: "attributes.company", label: "Company", required: false }],
    },
  },
});
