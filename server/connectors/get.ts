import { z } from "zod";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { loadConnector } from "./load";
import { connectorTag, connectorView } from "./view";

/** Returns a connector with its mapping. */
export const getConnector = query({
  name: "connectors.get",
  scope: "connectors:read",
  input: z.strictObject({ id: id("con") }),
  tag: connectorTag,
  run: async (ctx, input) => connectorView(await loadConnector(ctx, input.id)),
});
