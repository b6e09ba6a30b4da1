import { z } from "zod";
import { audit } from "@/server/access/audit";
import { revokeConnectorKeys } from "@/server/access/connector-keys";
import { notFound } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { loadScimConnector } from "../connection";

/** Revokes a token of a SCIM connection: the next request with it gets a 401. Leaves an audit entry. */
export const deleteConnectorToken = command({
  name: "connectors.tokens.delete",
  scope: "connectors:write",
  input: z.strictObject({ id: id("con"), token: id("key") }),
  async run(ctx, input) {
    const connector = await loadScimConnector(ctx, input.id, "FOR UPDATE");
    if ((await revokeConnectorKeys(ctx, connector.id, input.token)) === 0)
      throw notFound("token", publicId("key", input.token));
    await audit(
      ctx,
      "connector.token_deleted",
      { type: "connector", id: publicId("con", connector.id) },
      { token: publicId("key", input.token) },
    );
  },
});
