import { getCredential } from "@/server/credentials/get";
import { updateCredential } from "@/server/credentials/update";
import { credentialSchema } from "@/server/credentials/view";
import { route } from "@/server/http/route";

export const GET = route({ operation: getCredential, summary: "Get a credential", response: credentialSchema });

export const PATCH = route({
  operation: updateCredential,
  summary: "Change a credential's expiry or data",
  description: "data is merged: deep for objects, null removes a key. Only a live credential can be changed; any other is reissued.",
  response: credentialSchema,
  example: { request: { expiresAt: "2028-09-30T00:00:00Z" } },
});
