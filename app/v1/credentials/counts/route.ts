import { countCredentials, credentialCountsSchema } from "@/server/credentials/counts";
import { route } from "@/server/http/rest/route";

export const GET = route({
  operation: countCredentials,
  summary: "Count credentials by state",
  description:
    "Of the organisation, or of one template: what revoke-credentials expects as expectedCount is notRevoked.",
  response: credentialCountsSchema,
});
