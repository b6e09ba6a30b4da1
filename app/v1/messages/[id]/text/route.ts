import { route } from "@/server/http/rest/route";
import { getMessageText, messageTextSchema } from "@/server/messages/get-text";

export const GET = route({
  operation: getMessageText,
  summary: "Get subject line and text of an e-mail",
  description: "As they read now: texts are not stored. 410 once the person was erased.",
  response: messageTextSchema,
});
