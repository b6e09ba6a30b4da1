import { z } from "zod";
import { DomainError } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { audit } from "./audit";
import { loadClient, loadClientToChange, refuseRevoked } from "./load-oauth-client";
import { oauthClientView } from "./oauth-client-view";
import { storeNewSecret } from "./oauth-secret";

/** Adds a second secret to a client, so that the first can be rotated out. Returns it once. Leaves an audit entry. */
export const addOAuthSecret = command({
  name: "oauth_clients.add_secret",
  scope: "keys:write",
  input: z.strictObject({ id: id("ocl") }),
  async run(ctx, input) {
    const client = await loadClientToChange(ctx, input.id);
    refuseRevoked(client);
    if (client.secrets.length >= 2)
      throw new DomainError("too_many_secrets", "The client holds two secrets that work. Retire one first.");
    const added = await storeNewSecret(ctx, client.id);
    await audit(
      ctx,
      "oauth_client.secret_added",
      { type: "oauth_client", id: publicId("ocl", client.id) },
      { secretId: publicId("ocs", added.id) },
    );
    return { ...oauthClientView(await loadClient(ctx, client.id)), clientSecret: added.secret };
  },
});
