import { route } from "@/server/http/rest/route";
import { cancelMessage } from "@/server/messages/cancel";
import { messageSchema } from "@/server/messages/view";

export const POST = route({
  operation: cancelMessage,
  summary: "Cancel an e-mail that waits",
  description: "409 if it does not wait any more, or is being handed to the mail server at this moment.",
  response: messageSchema,
});
