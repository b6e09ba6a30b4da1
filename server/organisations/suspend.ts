import { z } from "zod";
import { audit } from "@/server/access/audit";
import { requireOperator } from "@/server/access/operator";
import { publicId } from "@/server/core/ids";
import { command } from "@/server/core/operation";

/**
 * Suspends the organisation. From the next request on its tokens are refused and its people see that it is suspended;
 * its jobs, webhooks and e-mails wait. Its credentials remain verifiable, because their holders are not at fault.
 * Operator only. Leaves an audit entry.
 */
export const suspendOrganisation = command({
  name: "organisations.suspend",
  scope: "settings:write",
  input: z.strictObject({}),
  async run(ctx) {
    requireOperator(ctx, "suspends organisations");
    const [changed] = await ctx.tx.sql(
      `UPDATE organisations SET suspended_at = $2, updated_at = $2 WHERE id = $1 AND suspended_at IS NULL RETURNING 1`,
      [ctx.orgId, ctx.now],
    );
    if (changed) await audit(ctx, "organisation.suspended", { type: "organisation", id: publicId("org", ctx.orgId) });
    return { id: publicId("org", ctx.orgId), suspended: true };
  },
});
