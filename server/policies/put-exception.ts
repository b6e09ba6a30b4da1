import { z } from "zod";
import { audit } from "@/server/access/audit";
import { publicId } from "@/server/core/ids";
import { id, invalidInput, line, timestamp } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { subjectErased } from "@/server/subjects/erased";
import { loadSubject } from "@/server/subjects/load";
import { effects, exceptionView, type ExceptionRow } from "./exception-view";
import { loadPolicy } from "./load";

/**
 * Grants a policy's credential to one person, or denies it, regardless of the rule. The next run carries it out. Replaces
 * an earlier exception of the person. Leaves an audit entry if something changed.
 */
export const putPolicyException = command({
  name: "policies.exceptions.put",
  scope: "policies:write",
  alsoScope: "subjects:read",
  input: z.strictObject({
    id: id("pol"),
    subjectId: id("sub"),
    effect: z.enum(effects),
    reason: line(500).min(1, "must not be empty").meta({ description: "Why. Only your organisation sees it." }),
    until: timestamp.nullable().default(null).meta({ description: "When it ends by itself; null for never." }),
  }),
  async run(ctx, input) {
    if (input.until && input.until <= ctx.now)
      throw invalidInput([{ pointer: "/until", code: "past", message: "must be in the future" }]);
    const policy = await loadPolicy(ctx, input.id, "FOR SHARE");
    const subject = await loadSubject(ctx, input.subjectId, "FOR SHARE");
    if (subject.erased_at) throw subjectErased();
    const key = [ctx.orgId, policy.id, subject.id];
    const [changed] = await ctx.tx.sql(
      `INSERT INTO policy_exceptions AS held (org_id, policy_id, subject_id, effect, reason, until, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $7)
       ON CONFLICT (org_id, policy_id, subject_id) DO UPDATE SET effect = $4, reason = $5, until = $6, updated_at = $7
         WHERE (held.effect, held.reason, held.until) IS DISTINCT FROM ($4, $5, $6::timestamptz(3)) RETURNING 1`,
      [...key, input.effect, input.reason, input.until, ctx.now],
    );
    if (changed)
      await audit(
        ctx,
        "policy_exception.set",
        { type: "policy", id: publicId("pol", policy.id) },
        { subjectId: publicId("sub", subject.id), effect: input.effect, until: input.until?.toISOString() ?? null },
      );
    const [row] = await ctx.tx.sql<Omit<ExceptionRow, "external_id" | "display_name">>(
      `SELECT policy_id, subject_id, effect, reason, until, created_at, updated_at FROM policy_exceptions WHERE org_id = $1 AND policy_id = $2 AND subject_id = $3`,
      key,
    );
    return exceptionView({ ...row!, external_id: subject.external_id, display_name: subject.display_name });
  },
});
