import { route } from "@/server/http/rest/route";
import { getMessage } from "@/server/messages/get";
import { messageSchema } from "@/server/messages/view";

export const GET = route({ operation: getMessage, summary: "Get an e-mail to a holder", response: messageSchema });
