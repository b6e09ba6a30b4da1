import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { appendAll } from "@/server/events/append";
import { touchDirectoryGroups } from "./directory-groups";
import { subjectColumns, subjectFactsOf, type SubjectRow } from "./view";

/**
 * Deletes subjects that never held a credential; the caller has locked them and seen that. Emits subject.deleted for each.
 * @returns how many
 */
export async function deleteSubjects(ctx: TxCtx, ids: Id<"sub">[]): Promise<number> {
  if (ids.length === 0) return 0;
  touchDirectoryGroups(ctx, ids);
  const rows = await ctx.tx.sql<SubjectRow>(
    `DELETE FROM subjects USING unnest($2::uuid[]) AS given (wanted)
     CROSS JOIN LATERAL (SELECT ctid AS tid FROM subjects WHERE org_id = $1 AND id = given.wanted OFFSET 0) found
     WHERE subjects.ctid = found.tid RETURNING ${subjectColumns}`,
    [ctx.orgId, ids],
  );
  await appendAll(
    ctx,
    rows.map((row) => ({ type: "subject.deleted" as const, resourceId: row.id, object: subjectFactsOf(row) })),
  );
  ctx.tx.wrote("subjects", rows.length);
  return rows.length;
}
