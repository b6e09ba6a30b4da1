import { route } from "@/server/http/rest/route";
import { messageSchema } from "@/server/messages/view";
import { resendMessage } from "@/server/messages/resend";

export const POST = route({
  operation: resendMessage,
  summary: "Send an e-mail again",
  description:
    "It waits again and is sent after the answer, to the present address of the person, or to the address that was named. 409 if its news is no longer true, such as of a credential that was resumed; 429 within five minutes.",
  response: messageSchema,
});
