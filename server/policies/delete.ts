import { z } from "zod";
import { audit } from "@/server/access/audit";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { loadPolicy, loadShownPolicy } from "./load";
import { policyTag, policyView } from "./view";

/**
 * Deletes a policy. The credentials that it issued stay as they are, and its exceptions are deleted. A run in progress
 * ends after its current step. Leaves an audit entry.
 */
export const deletePolicy = command({
  name: "policies.delete",
  scope: "policies:write",
  input: z.strictObject({ id: id("pol"), ifMatch }),
  async run(ctx, input) {
    const policy = await loadPolicy(ctx, input.id, "FOR UPDATE");
    requireMatch(input.ifMatch, policyTag(policyView(await loadShownPolicy(ctx, input.id))));
    const key = [ctx.orgId, policy.id];
    await ctx.tx.sql(
      `UPDATE policies SET deleted_at = $3, updated_at = $3, halted_at = NULL, next_run_at = NULL WHERE org_id = $1 AND id = $2`,
      [...key, ctx.now],
    );
    ctx.tx.send(`DELETE FROM policy_exceptions WHERE org_id = $1 AND policy_id = $2`, key);
    ctx.tx.send(`DELETE FROM policy_lapses WHERE org_id = $1 AND policy_id = $2`, key);
    await audit(ctx, "policy.deleted", { type: "policy", id: publicId("pol", policy.id) }, { name: policy.name });
  },
});
