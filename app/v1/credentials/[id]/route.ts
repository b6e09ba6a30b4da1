import { getCredential } from "@/server/credentials/get";
import { updateCredential } from "@/server/credentials/update";
import { credentialSchema } from "@/server/credentials/view";
import { route } from "@/server/http/rest/route";

export const GET = route({ operation: getCredential, summary: "Get a credential", response: credentialSchema });

export const PATCH = route({
  operation: updateCredential,
  summary: "Change a credential's expiry, data or metadata",
  description:
    "data and metadata are merged: deep for objects, null removes a key. Expiry and data change while the credential is live; any other is reissued. metadata can be changed in every state.",
  response: credentialSchema,
  example: { request: { expiresAt: "2028-09-30T00:00:00Z" } },
});
