import { z } from "zod";
import { publicId, uuidOf } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { audit } from "./audit";
import { loadClientToChange } from "./load-oauth-client";
import { oauthClientView } from "./oauth-client-view";

/**
 * Revokes an OAuth client and all of its access tokens: the next request with one gets a 401. Leaves an audit entry.
 * Revoking it again changes nothing.
 */
export const revokeOAuthClient = command({
  name: "oauth_clients.revoke",
  scope: "keys:write",
  input: z.strictObject({ id: id("ocl") }),
  async run(ctx, input) {
    const client = await loadClientToChange(ctx, input.id);
    if (client.revokedAt) return oauthClientView(client);
    await ctx.tx.db.oAuthClient.update({
      where: { orgId_id: { orgId: uuidOf(ctx.orgId), id: uuidOf(client.id) } },
      data: { revokedAt: ctx.now },
    });
    await audit(
      ctx,
      "oauth_client.revoked",
      { type: "oauth_client", id: publicId("ocl", client.id) },
      { name: client.name },
    );
    return oauthClientView({ ...client, revokedAt: ctx.now });
  },
});
