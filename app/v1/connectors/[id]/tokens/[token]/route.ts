import { route } from "@/server/http/rest/route";
import { deleteConnectorToken } from "@/server/scim/tokens/delete";

export const DELETE = route({
  operation: deleteConnectorToken,
  summary: "Delete a token of a SCIM connection",
  response: null,
});
