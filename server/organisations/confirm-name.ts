import { z } from "zod";
import { audit } from "@/server/access/audit";
import { requireOperator } from "@/server/access/operator";
import { publicId } from "@/server/core/ids";
import { command } from "@/server/core/operation";

/**
 * Confirms that the organisation bears the name that it gives itself, so that verifications say so (`nameVerified`). A
 * later change of the name is unconfirmed again. Operator only. Leaves an audit entry.
 */
export const confirmOrganisationName = command({
  name: "organisations.confirm_name",
  scope: "settings:write",
  input: z.strictObject({}),
  async run(ctx) {
    requireOperator(ctx, "confirms names");
    const [confirmed] = await ctx.tx.sql<{ name: string }>(
      `UPDATE organisations SET confirmed_name = name, updated_at = $2 WHERE id = $1 RETURNING name`,
      [ctx.orgId, ctx.now],
    );
    const { name } = confirmed!;
    await audit(ctx, "organisation.name_confirmed", { type: "organisation", id: publicId("org", ctx.orgId) }, { name });
    return { id: publicId("org", ctx.orgId), name };
  },
});
