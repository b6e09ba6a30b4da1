import { z } from "zod";
import { audit } from "@/server/access/audit";
import { requireOperator } from "@/server/access/operator";
import { publicId } from "@/server/core/ids";
import { command } from "@/server/core/operation";

/**
 * Ends a suspension: tokens and people are admitted again, and waiting work continues. Operator only. Leaves an audit
 * entry.
 */
export const resumeOrganisation = command({
  name: "organisations.resume",
  scope: "settings:write",
  input: z.strictObject({}),
  async run(ctx) {
    requireOperator(ctx, "resumes organisations");
    const [changed] = await ctx.tx.sql(
      `UPDATE organisations SET suspended_at = NULL, updated_at = $2 WHERE id = $1 AND suspended_at IS NOT NULL RETURNING 1`,
      [ctx.orgId, ctx.now],
    );
    if (changed) await audit(ctx, "organisation.resumed", { type: "organisation", id: publicId("org", ctx.orgId) });
    ctx.tx.nudgeAfterCommit("bulk");
    ctx.tx.nudgeAfterCommit("deliveries");
    return { id: publicId("org", ctx.orgId), suspended: false };
  },
});
