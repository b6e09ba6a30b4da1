import { reissueCredential } from "@/server/credentials/reissue";
import { credentialSchema } from "@/server/credentials/view";
import { route } from "@/server/http/rest/route";

export const POST = route({
  operation: reissueCredential,
  summary: "Issue a credential anew",
  description:
    "From the template's current version, with a new code. The one before is superseded, and revoked where it was live. An expiry that somebody had chosen is kept while it lies ahead; otherwise the template's validity decides. A start that lies ahead is kept too. What was suspended stays suspended, with its reason, in the new one; that takes the scope credentials:revoke as well. The public page and verification of the one before name the new one only with linkPublicly; 409 name_changed if the two carry different names.",
  response: credentialSchema,
  statuses: [201],
  location: ({ id }) => `/v1/credentials/${id}`,
  example: { request: { reason: "Card lost" } },
});
