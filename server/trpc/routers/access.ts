import { createApiKey } from "@/server/access/create-api-key";
import { listApiKeys } from "@/server/access/list-api-keys";
import { revokeApiKey } from "@/server/access/revoke-api-key";
import { fromCommand, fromQuery, router } from "../trpc";

export const accessRouter = router({
  apiKeys: router({
    list: fromQuery(listApiKeys),
    create: fromCommand(createApiKey),
    revoke: fromCommand(revokeApiKey),
  }),
});
