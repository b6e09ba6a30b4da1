import { z } from "zod";
import { notFound } from "@/server/core/errors";
import { publicId, uuidOf } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { apiKeyView } from "./api-key-view";
import { audit } from "./audit";

/**
 * Revokes an API key: the next request with it gets a 401. Leaves an audit entry. Revoking it again changes nothing.
 */
export const revokeApiKey = command({
  name: "api_keys.revoke",
  scope: "keys:write",
  input: z.strictObject({ id: id("key") }),
  async run(ctx, input) {
    const key = { orgId: uuidOf(ctx.orgId), id: uuidOf(input.id) };
    const row = await ctx.tx.db.apiKey.findUnique({ where: { orgId_id: key } });
    if (!row) throw notFound("API key", publicId("key", input.id));
    if (row.revokedAt) return apiKeyView(row);
    const revoked = await ctx.tx.db.apiKey.update({ where: { orgId_id: key }, data: { revokedAt: ctx.now } });
    await audit(ctx, "api_key.revoked", { type: "api_key", id: publicId("key", input.id) }, { name: row.name });
    return apiKeyView(revoked);
  },
});
