import { z } from "zod";
import { reading } from "@/server/core/db";
import { asId, uuidOf } from "@/server/core/ids";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { oauthClientView, withLiveSecrets } from "./oauth-client-view";

export const listOAuthClients = query({
  name: "oauth_clients.list",
  scope: "keys:read",
  input: z.strictObject(page),
  async run(ctx, input) {
    const { db } = reading(ctx);
    const found = await paginate(input, {
      binding: [ctx.orgId, "oauth_clients"],
      fetch: ({ after, take, skip }) =>
        db.oAuthClient.findMany({
          where: { orgId: uuidOf(ctx.orgId), ...(after && { id: { lt: after } }) },
          include: withLiveSecrets(ctx.now),
          orderBy: { id: "desc" },
          take,
          skip,
        }),
      count: () => db.oAuthClient.count({ where: { orgId: uuidOf(ctx.orgId) } }),
      keyOf: (row) => row.id,
    });
    return { ...found, data: found.data.map((row) => oauthClientView({ ...row, id: asId(row.id) })) };
  },
});
