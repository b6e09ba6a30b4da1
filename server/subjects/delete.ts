import { z } from "zod";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { DomainError } from "@/server/core/errors";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { append } from "@/server/events/append";
import { touchDirectoryGroups } from "./directory-groups";
import { subjectErased } from "./erased";
import { loadSubject } from "./load";
import { subjectFactsOf, subjectTag, subjectView } from "./view";

/**
 * Deletes a subject that never held a credential. Any other subject can only be deactivated (spec 2.1, rule 4). Emits
 * subject.deleted.
 */
export const deleteSubject = command({
  name: "subjects.delete",
  scope: "subjects:write",
  input: z.strictObject({ id: id("sub"), ifMatch }),
  async run(ctx, input) {
    // An issue takes the row FOR SHARE, so this lock prevents one between the check and the deletion.
    const row = await loadSubject(ctx, input.id, "FOR UPDATE");
    // The hash in its row prevents the person from being added again.
    if (row.erased_at) throw subjectErased();
    requireMatch(input.ifMatch, subjectTag(subjectView(row)));
    const [held] = await ctx.tx.sql(`SELECT 1 FROM credentials WHERE org_id = $1 AND subject_id = $2 LIMIT 1`, [
      ctx.orgId,
      row.id,
    ]);
    if (held) {
      throw new DomainError(
        "subject_has_credentials",
        "A subject that ever held a credential stays, so that the record keeps naming it. Set status to inactive instead.",
      );
    }
    touchDirectoryGroups(ctx, [row.id]);
    await ctx.tx.sql(`DELETE FROM subjects WHERE org_id = $1 AND id = $2`, [ctx.orgId, row.id]);
    await append(ctx, { type: "subject.deleted", resourceId: row.id, object: subjectFactsOf(row) });
  },
});
