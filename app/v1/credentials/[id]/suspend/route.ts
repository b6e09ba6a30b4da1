import { suspendCredential } from "@/server/credentials/suspend";
import { credentialSchema } from "@/server/credentials/view";
import { route } from "@/server/http/rest/route";

export const POST = route({
  operation: suspendCredential,
  summary: "Suspend a credential",
  description: "Reversible. The reason is public: whoever verifies the credential reads it.",
  response: credentialSchema,
  example: { request: { reason: "Leave of absence" } },
});
