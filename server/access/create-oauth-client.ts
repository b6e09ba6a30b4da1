import { z } from "zod";
import { newId, publicId, uuidOf } from "@/server/core/ids";
import { line } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { scopes } from "@/server/core/scopes";
import { audit } from "./audit";
import { loadClient } from "./load-oauth-client";
import { oauthClientView } from "./oauth-client-view";
import { newClientId, storeNewSecret } from "./oauth-secret";
import { scopesToGrant } from "./token-scopes";

/** Creates an OAuth client and returns its first secret once. Leaves an audit entry; emits no event. */
export const createOAuthClient = command({
  name: "oauth_clients.create",
  scope: "keys:write",
  input: z.strictObject({
    name: line(100).min(1, "must not be empty"),
    scopes: z.array(z.enum(scopes)).min(1).optional(),
  }),
  async run(ctx, input) {
    const id = newId("ocl");
    const wanted = scopesToGrant(ctx, input.scopes);
    await ctx.tx.db.oAuthClient.create({
      data: {
        orgId: uuidOf(ctx.orgId),
        id: uuidOf(id),
        clientId: newClientId(),
        name: input.name,
        scopes: wanted,
        createdBy: { ...ctx.actor },
        createdAt: ctx.now,
      },
    });
    const { secret } = await storeNewSecret(ctx, id);
    await audit(
      ctx,
      "oauth_client.created",
      { type: "oauth_client", id: publicId("ocl", id) },
      { name: input.name, scopes: wanted },
    );
    return { ...oauthClientView(await loadClient(ctx, id)), clientSecret: secret };
  },
});
