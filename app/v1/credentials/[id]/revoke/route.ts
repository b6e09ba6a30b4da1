import { revokeCredential } from "@/server/credentials/revoke";
import { credentialSchema } from "@/server/credentials/view";
import { route } from "@/server/http/rest/route";

export const POST = route({
  operation: revokeCredential,
  summary: "Revoke a credential",
  description:
    "Permanent. The reason is public: whoever verifies the credential reads it. A revoked credential keeps its first reason.",
  response: credentialSchema,
  example: { request: { reason: "Left the university", note: "Ticket 4711" } },
});
