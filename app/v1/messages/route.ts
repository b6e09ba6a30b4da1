import { pageOf } from "@/server/core/pagination";
import { route } from "@/server/http/rest/route";
import { listMessages } from "@/server/messages/list";
import { messageSchema } from "@/server/messages/view";

export const GET = route({
  operation: listMessages,
  summary: "List e-mails to holders",
  description:
    "The outbox, newest first: messages that wait, and for 90 days those that were sent, bounced, failed or were cancelled.",
  response: pageOf(messageSchema),
});
