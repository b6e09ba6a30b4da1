import { reissueCredential } from "@/server/credentials/reissue";
import { credentialSchema } from "@/server/credentials/view";
import { route } from "@/server/http/route";

export const POST = route({
  operation: reissueCredential,
  summary: "Issue a credential anew",
  description: "From the template's current version, with a new code. The one before is superseded, and revoked where it was live.",
  response: credentialSchema,
  statuses: [201],
  example: { request: { reason: "Name changed" } },
});
