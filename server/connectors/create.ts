import { standingOf } from "@/server/access/standing";
import { newId } from "@/server/core/ids";
import { command } from "@/server/core/operation";
import { insertConnector, newConnector } from "./insert";
import { requirePgpType, sealPgpKey } from "./pgp/key";
import { connectorTag } from "./view";

/**
 * Creates a connector: a feed of people with its mapping (contract section 11). Limits above the defaults require
 * connectors:approve. Leaves an audit entry.
 */
export const createConnector = command({
  name: "connectors.create",
  scope: "connectors:write",
  input: newConnector,
  tag: connectorTag,
  standing: standingOf,
  // Opening a key takes a moment, so it is done before the transaction.
  async prepare(ctx, input) {
    if (input.pgpKey) requirePgpType(input.type);
    const id = newId("con");
    return { id, sealed: input.pgpKey && (await sealPgpKey(id, input.pgpKey, ctx.now)) };
  },
  run: insertConnector,
});
