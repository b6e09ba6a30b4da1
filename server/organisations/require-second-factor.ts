import { z } from "zod";
import { audit } from "@/server/access/audit";
import { hasSecondFactor } from "@/server/access/second-factor/has-second-factor";
import { DomainError } from "@/server/core/errors";
import { publicId, readId } from "@/server/core/ids";
import { command } from "@/server/core/operation";

/**
 * Requires a second factor of everyone who works in the organisation; make-second-factor-optional.ts ends that. From
 * their next request on, people without one can do nothing there but set it up. API keys and OAuth clients are not
 * affected. Leaves an audit entry.
 *
 * @throws DomainError second_factor_state for a caller who has none: they would lock themselves out.
 */
export const requireSecondFactor = command({
  name: "organisations.require_second_factor",
  scope: "settings:write",
  input: z.strictObject({ required: z.literal(true) }),
  async run(ctx) {
    if (ctx.actor.type === "user" && !(await hasSecondFactor(ctx.tx.sql, readId("usr", ctx.actor.id)))) {
      throw new DomainError("second_factor_state", "Set up a second factor for your own account first.");
    }
    const changed = await ctx.tx.sql(
      `UPDATE organisations SET require_second_factor = true, updated_at = $2 WHERE id = $1 AND NOT require_second_factor RETURNING 1`,
      [ctx.orgId, ctx.now],
    );
    if (changed.length > 0)
      await audit(ctx, "organisation.second_factor_required", { type: "organisation", id: publicId("org", ctx.orgId) });
    return { required: true };
  },
});
