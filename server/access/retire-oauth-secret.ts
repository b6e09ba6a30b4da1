import { z } from "zod";
import { notFound } from "@/server/core/errors";
import { publicId, uuidOf } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { audit } from "./audit";
import { loadClient, loadClientToChange } from "./load-oauth-client";
import { oauthClientView } from "./oauth-client-view";

/**
 * Ends a secret of a client at once. Tokens obtained with it remain valid for their 15 minutes. Leaves an audit entry.
 */
export const retireOAuthSecret = command({
  name: "oauth_clients.retire_secret",
  scope: "keys:write",
  input: z.strictObject({ id: id("ocl"), secretId: id("ocs") }),
  async run(ctx, input) {
    const client = await loadClientToChange(ctx, input.id);
    if (!client.secrets.some((secret) => secret.id === uuidOf(input.secretId)))
      throw notFound("secret", publicId("ocs", input.secretId));
    await ctx.tx.db.oAuthClientSecret.update({
      where: { orgId_id: { orgId: uuidOf(ctx.orgId), id: uuidOf(input.secretId) } },
      data: { expiresAt: ctx.now },
    });
    await audit(
      ctx,
      "oauth_client.secret_retired",
      { type: "oauth_client", id: publicId("ocl", client.id) },
      { secretId: publicId("ocs", input.secretId) },
    );
    return oauthClientView(await loadClient(ctx, client.id));
  },
});
