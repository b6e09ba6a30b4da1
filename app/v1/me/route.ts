import { route } from "@/server/http/rest/route";
import { getMe, meSchema } from "@/server/organisations/get-me";

export const GET = route({
  operation: getMe,
  summary: "Get who the token acts for",
  description: "The organisation, the actor and the scopes. Any token may ask.",
  response: meSchema,
});
