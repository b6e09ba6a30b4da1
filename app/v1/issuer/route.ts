import { route } from "@/server/http/rest/route";
import { getIssuer } from "@/server/issuers/get";
import { issuerSchema } from "@/server/issuers/view";

export const GET = route({
  operation: getIssuer,
  summary: "Get your organisation as an issuer",
  description:
    "Its DID, and the keys that sign its academic credentials and status lists. All of it is public. Any token may read it.",
  response: issuerSchema,
});
