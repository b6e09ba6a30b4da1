import { cancelConfirmation } from "@/server/confirmations/cancel";
import { confirmationSchema } from "@/server/credentials/confirmation";
import { route } from "@/server/http/rest/route";

export const POST = route({
  operation: cancelConfirmation,
  summary: "Cancel a name to confirm",
  description: "Nothing is issued. The holder who opens the link reads the reason.",
  response: confirmationSchema,
  example: { request: { reason: "You left the programme" } },
});
