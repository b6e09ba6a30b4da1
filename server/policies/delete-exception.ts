import { z } from "zod";
import { audit } from "@/server/access/audit";
import { DomainError } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { loadPolicy } from "./load";

/** Deletes a person's exception. From the next run on, the rule decides again. Leaves an audit entry. */
export const deletePolicyException = command({
  name: "policies.exceptions.delete",
  scope: "policies:write",
  input: z.strictObject({ id: id("pol"), subjectId: id("sub") }),
  async run(ctx, input) {
    const policy = await loadPolicy(ctx, input.id, "FOR SHARE");
    const [gone] = await ctx.tx.sql(
      `DELETE FROM policy_exceptions WHERE org_id = $1 AND policy_id = $2 AND subject_id = $3 RETURNING 1`,
      [ctx.orgId, policy.id, input.subjectId],
    );
    if (!gone) throw new DomainError("not_found", "This person has no exception in this policy.");
    await audit(
      ctx,
      "policy_exception.deleted",
      { type: "policy", id: publicId("pol", policy.id) },
      { subjectId: publicId("sub", input.subjectId) },
    );
  },
});
