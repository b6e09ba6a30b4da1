import { z } from "zod";
import { liveConnectorKeys } from "@/server/access/connector-keys";
import { loadConnector } from "@/server/connectors/load";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";

import { connectorTokenSchema, connectorTokenView } from "./view";

export const connectorTokensSchema = z.object({ data: z.array(connectorTokenSchema) }).meta({ id: "ConnectorTokens" });

/** Lists the valid tokens of a SCIM connection: at most two. */
export const listConnectorTokens = query({
  name: "connectors.tokens.list",
  scope: "connectors:read",
  input: z.strictObject({ id: id("con") }),
  async run(ctx, input) {
    const connector = await loadConnector(ctx, input.id);
    return { data: (await liveConnectorKeys(ctx, connector.id)).map(connectorTokenView) };
  },
});
