import { route } from "@/server/http/rest/route";
import { verifyIssuerDomain } from "@/server/issuers/domain/verify-domain";
import { issuerSchema } from "@/server/issuers/view";

export const POST = route({
  operation: verifyIssuerDomain,
  summary: "Check your domain, and sign under it",
  description:
    "Looks for the DNS record and for the DID document at the domain. Where both are right, domain.status is active, and everything is signed under the domain from then on; else domain.problem says what is wrong. What was signed before stays valid.",
  response: issuerSchema,
});
