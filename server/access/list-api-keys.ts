import { z } from "zod";
import { reading } from "@/server/core/db";
import { uuidOf } from "@/server/core/ids";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { apiKeyView } from "./api-key-view";

export const listApiKeys = query({
  name: "api_keys.list",
  scope: "keys:read",
  input: z.strictObject(page),
  async run(ctx, input) {
    const { db } = reading(ctx);
    const found = await paginate(input, {
      binding: [ctx.orgId, "api_keys"],
      fetch: ({ after, take, skip }) =>
        db.apiKey.findMany({
          where: { orgId: uuidOf(ctx.orgId), ...(after && { id: { lt: after } }) },
          orderBy: { id: "desc" },
          take,
          skip,
        }),
      count: () => db.apiKey.count({ where: { orgId: uuidOf(ctx.orgId) } }),
      keyOf: (row) => row.id,
    });
    return { ...found, data: found.data.map(apiKeyView) };
  },
});
