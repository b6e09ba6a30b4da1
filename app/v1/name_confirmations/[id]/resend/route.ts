import { resendConfirmation } from "@/server/confirmations/resend";
import { confirmationSchema } from "@/server/credentials/confirmation";
import { route } from "@/server/http/rest/route";

export const POST = route({
  operation: resendConfirmation,
  summary: "Send a new link to confirm a name",
  description: "Goes to the holder's present address. The former link works no more. At most every five minutes.",
  response: confirmationSchema,
});
