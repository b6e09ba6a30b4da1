import { route } from "@/server/http/rest/route";
import { removeIssuerDomain } from "@/server/issuers/domain/remove-domain";
import { setIssuerDomain } from "@/server/issuers/domain/set-domain";
import { issuerSchema } from "@/server/issuers/view";

export const PUT = route({
  operation: setIssuerDomain,
  summary: "Name a domain of your own",
  description:
    "Under which your organisation wants to sign, as did:web of it. The answer says which DNS record proves that it is yours, and where it has to serve the DID document. Nothing is signed under it before it is verified.",
  response: issuerSchema,
  example: { request: { domain: "credentials.example.edu" } },
});

export const DELETE = route({
  operation: removeIssuerDomain,
  summary: "Sign under your domain no more",
  description:
    "From the commit on your organisation signs under the host of this service. What was signed under the domain stays valid while the domain points here and no other organisation signs under it.",
  response: issuerSchema,
});
