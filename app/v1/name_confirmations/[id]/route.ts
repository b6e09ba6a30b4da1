import { getConfirmation } from "@/server/confirmations/get";
import { confirmationSchema } from "@/server/credentials/confirmation";
import { route } from "@/server/http/rest/route";

export const GET = route({
  operation: getConfirmation,
  summary: "Get a name to confirm",
  response: confirmationSchema,
});
