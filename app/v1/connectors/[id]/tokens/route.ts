import { route } from "@/server/http/rest/route";
import { createConnectorToken } from "@/server/scim/tokens/create";
import { connectorTokensSchema, listConnectorTokens } from "@/server/scim/tokens/list";
import { newConnectorTokenSchema } from "@/server/scim/tokens/view";

export const GET = route({
  operation: listConnectorTokens,
  summary: "List the tokens of a SCIM connection",
  response: connectorTokensSchema,
});

export const POST = route({
  operation: createConnectorToken,
  summary: "Create a token of a SCIM connection",
  description:
    "The secret is in this answer and never again. Two tokens work at a time, so that one can be rotated out.",
  response: newConnectorTokenSchema,
  statuses: [201],
});
