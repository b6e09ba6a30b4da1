import { route } from "@/server/http/rest/route";
import { getIssuer } from "@/server/issuers/get";
import { updateIssuer } from "@/server/issuers/update";
import { issuerSchema } from "@/server/issuers/view";

export const GET = route({
  operation: getIssuer,
  summary: "Get your organisation as an issuer",
  description:
    "Its DID, and the keys that sign its academic credentials and status lists. All of it is public. Any token may read it.",
  response: issuerSchema,
});

export const PATCH = route({
  operation: updateIssuer,
  summary: "Change how documents name their holders",
  description:
    "recipientIdentity says how the signed document of an academic credential says for whom it is. Documents are signed anew when they are next asked for; copies that were given out stay valid. The scope settings:write is in a token only where somebody chose it.",
  response: issuerSchema,
  example: { request: { recipientIdentity: "name" } },
});
