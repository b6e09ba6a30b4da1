import { confirmName } from "@/server/confirmations/confirm";
import { confirmationSchema } from "@/server/credentials/confirmation";
import { route } from "@/server/http/rest/route";

export const POST = route({
  operation: confirmName,
  summary: "Confirm a name for its holder",
  description: "The credential is issued at once: credentialId names it.",
  response: confirmationSchema,
  example: { request: { reason: "Showed a passport at the counter" } },
});
