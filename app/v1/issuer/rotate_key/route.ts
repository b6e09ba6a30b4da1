import { route } from "@/server/http/rest/route";
import { rotateIssuerKey } from "@/server/issuers/rotate-key";
import { issuerSchema } from "@/server/issuers/view";

export const POST = route({
  operation: rotateIssuerKey,
  summary: "Replace the key that signs",
  description:
    "From the commit on a new key signs. The retired key stays in the DID document, so that what it signed stays valid; its private part is deleted. The scope settings:write is in a token only where somebody chose it.",
  response: issuerSchema,
  example: { request: { kind: "ed25519" } },
});
