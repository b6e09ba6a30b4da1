import { actorNames } from "@/server/access/actor-names";
import { addOAuthSecret } from "@/server/access/add-oauth-secret";
import { createApiKey } from "@/server/access/create-api-key";
import { createOAuthClient } from "@/server/access/create-oauth-client";
import { listApiKeys } from "@/server/access/list-api-keys";
import { listOAuthClients } from "@/server/access/list-oauth-clients";
import { retireOAuthSecret } from "@/server/access/retire-oauth-secret";
import { revokeApiKey } from "@/server/access/revoke-api-key";
import { revokeOAuthClient } from "@/server/access/revoke-oauth-client";
import { thingNames } from "@/server/access/thing-names";
import { fromCommand, fromQuery, router } from "../trpc";

export const accessRouter = router({
  actorNames: fromQuery(actorNames),
  thingNames: fromQuery(thingNames),
  apiKeys: router({
    list: fromQuery(listApiKeys),
    create: fromCommand(createApiKey),
    revoke: fromCommand(revokeApiKey),
  }),
  oauthClients: router({
    list: fromQuery(listOAuthClients),
    create: fromCommand(createOAuthClient),
    addSecret: fromCommand(addOAuthSecret),
    retireSecret: fromCommand(retireOAuthSecret),
    revoke: fromCommand(revokeOAuthClient),
  }),
});
