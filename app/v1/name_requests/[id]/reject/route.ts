import { nameRequestSchema } from "@/server/holders/name-request-view";
import { rejectName } from "@/server/holders/reject-name";
import { route } from "@/server/http/rest/route";

export const POST = route({
  operation: rejectName,
  summary: "Reject a request for another name",
  description: "The holder reads the reason.",
  response: nameRequestSchema,
  example: { request: { reason: "Please send us your certificate of marriage" } },
});
