import { route } from "@/server/http/rest/route";
import { revokeIssuerKey } from "@/server/issuers/revoke-key";
import { issuerSchema } from "@/server/issuers/view";

export const POST = route({
  operation: revokeIssuerKey,
  summary: "Revoke a key that was stolen",
  description:
    "From the commit on nothing that the key signed verifies, whatever its date. Documents and status lists of your organisation are signed anew, with a key that is trusted, when they are next asked for; copies that holders keep no longer verify. It cannot be undone. For a key that nobody copied, rotate_key is enough. The scope settings:write is in a token only where somebody chose it.",
  response: issuerSchema,
});
