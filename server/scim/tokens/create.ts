import { z } from "zod";
import { audit } from "@/server/access/audit";
import { createConnectorKey, liveConnectorKeys } from "@/server/access/connector-keys";
import { loadScimConnector } from "../connection";
import { DomainError } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { id, invalidInput } from "@/server/core/input";
import { command, requireScope } from "@/server/core/operation";
import { connectorTokenView } from "./view";

const mostTokens = 2;

/**
 * Creates a token with which a directory pushes to a SCIM connection, and returns its secret once. At most two are
 * valid at a time, so that one can be rotated out. Requires subjects:write too, because the holder of the token writes
 * people. Leaves an audit entry.
 *
 * @throws DomainError not_found; connector_type for a connector of another type; too_many_secrets
 */
export const createConnectorToken = command({
  name: "connectors.tokens.create",
  scope: "connectors:write",
  input: z.strictObject({
    id: id("con"),
    expiresAt: z.iso.datetime({ offset: true }).nullable().optional().meta({
      description: "When it stops to work; null or left out for never.",
    }),
  }),
  async run(ctx, input) {
    requireScope(ctx, "subjects:write");
    const expiresAt = input.expiresAt ? new Date(input.expiresAt) : null;
    if (expiresAt && expiresAt <= ctx.now)
      throw invalidInput([{ pointer: "/expiresAt", code: "past", message: "must be in the future" }]);
    // The lock makes concurrent requests count each other's token.
    const connector = await loadScimConnector(ctx, input.id, "FOR UPDATE");
    if ((await liveConnectorKeys(ctx, connector.id)).length >= mostTokens)
      throw new DomainError(
        "too_many_secrets",
        "The connection already has two tokens that work. Delete the one that your directory no longer uses.",
      );
    const key = await createConnectorKey(ctx, connector.id, { name: connector.name, expiresAt });
    await audit(
      ctx,
      "connector.token_created",
      { type: "connector", id: publicId("con", connector.id) },
      { token: publicId("key", key.id), lastFour: key.last_four, expiresAt: expiresAt?.toISOString() ?? null },
    );
    return { ...connectorTokenView(key), secret: key.secret };
  },
});
