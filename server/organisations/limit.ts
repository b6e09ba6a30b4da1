import { z } from "zod";
import { audit } from "@/server/access/audit";
import { requireOperator } from "@/server/access/operator";
import { publicId } from "@/server/core/ids";
import { command } from "@/server/core/operation";

/**
 * Sets how many requests per minute each token of the organisation may make, from the next request on: null for the
 * service's default, 0 for no limit. Operator only: an organisation cannot set its own limit. Leaves an audit entry.
 */
export const limitOrganisation = command({
  name: "organisations.limit",
  scope: "settings:write",
  input: z.strictObject({ requestsPerMinute: z.int().min(0).max(1_000_000).nullable() }),
  async run(ctx, { requestsPerMinute }) {
    requireOperator(ctx, "sets limits");
    await ctx.tx.sql(`UPDATE organisations SET requests_per_minute = $2, updated_at = $3 WHERE id = $1`, [
      ctx.orgId,
      requestsPerMinute,
      ctx.now,
    ]);
    await audit(
      ctx,
      "organisation.limited",
      { type: "organisation", id: publicId("org", ctx.orgId) },
      { requestsPerMinute },
    );
    return { id: publicId("org", ctx.orgId), requestsPerMinute };
  },
});
