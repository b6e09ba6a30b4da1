import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { lockSet } from "@/server/subjects/lock-set";
import { noteGone } from "@/server/subjects/provide";
import type { SubjectBefore } from "@/server/subjects/write";
import { writeAccepted, type Accepted } from "@/server/subjects/write-accepted";
import { fallBackToNextSource } from "../directory/departed";
import { endMemberships } from "../groups/change";
import { keptAgainstStatus, keptInAbsence } from "./elsewhere";
import { keepChanges } from "./keep-changes";
import { advance, type Work } from "./work";

const setSize = 500;

/** SQL: whether the planned deactivation `removal` of the subject `s` is still due, for connector $3. */
export const stillDue = `(s.status = 'active' AND s.erased_at IS NULL AND NOT CASE removal.cause WHEN 'status' THEN ${keptAgainstStatus("removal.subject_id")} ELSE ${keptInAbsence("removal.subject_id")} END)`;

/** Carries out the next batch of planned deactivations; drops those that are no longer due. */
export async function remove(ctx: TxCtx, work: Work): Promise<void> {
  const next = await ctx.tx.sql<{ id: Id<"sub"> }>(
    `SELECT subject_id AS id FROM connector_removals WHERE org_id = $1 AND run_id = $2 AND state = 'staged' ORDER BY subject_id LIMIT $3`,
    [ctx.orgId, work.id, setSize],
  );
  if (next.length === 0) return advance(ctx, work, { phase: "finishing" });
  const people = next.map(({ id }) => id);
  // Another source may just be taking a person over. What decides is read after that.
  lockSet(ctx, people, "FOR NO KEY UPDATE");
  const rows = await ctx.tx.sql<{ subject_id: Id<"sub">; external_id: string; cause: string; due: boolean }>(
    `SELECT removal.subject_id, removal.cause, s.external_id, ${stillDue} AS due
     FROM unnest($4::uuid[]) AS given (id)
     CROSS JOIN LATERAL (SELECT subject_id, cause, state FROM connector_removals WHERE org_id = $1 AND run_id = $2 AND subject_id = given.id OFFSET 0) removal
     CROSS JOIN LATERAL (SELECT external_id, status, erased_at FROM subjects WHERE org_id = $1 AND id = removal.subject_id OFFSET 0) s
     WHERE removal.state = 'staged'`,
    [ctx.orgId, work.id, work.connector_id, people],
  );
  const due = rows.filter((row) => row.due);
  const written = await writeAccepted(
    ctx,
    due.map(({ external_id }) => ({ externalId: external_id, status: "inactive" as const })),
    null,
  );
  const done = due.filter(({ external_id }) => {
    const result = written.get(external_id)!;
    return !("error" in result) && result.outcome === "updated";
  });
  const ids = new Set(done.map((row) => row.subject_id));
  await ctx.tx.sql(
    `UPDATE connector_removals SET state = CASE WHEN subject_id = ANY($4::uuid[]) THEN 'applied' ELSE 'dropped' END,
       applied_at = CASE WHEN subject_id = ANY($4::uuid[]) THEN $5::timestamptz END
     WHERE org_id = $1 AND run_id = $2 AND subject_id = ANY($3::uuid[])`,
    [ctx.orgId, work.id, rows.map((row) => row.subject_id), [...ids], ctx.now],
  );
  await keepChanges(
    ctx,
    work.id,
    done.map(({ subject_id, external_id }) => ({
      subjectId: subject_id,
      before: { status: "active" },
      adopted: false,
      ...timesOf(written.get(external_id)!),
    })),
  );
  const missing = done.filter(({ cause }) => cause === "missing").map((row) => row.subject_id);
  await fallBackForMissing(ctx, work, missing);
  await noteGone(ctx, { type: "connector", id: work.connector_id }, missing, true);
  await endMemberships(ctx, work, missing);
  await advance(ctx, work, { phase: "removing" }, { deactivated: done.length, held: work.approved ? -rows.length : 0 });
}

/**
 * Gives people whom the file lacks the values of the directories that list them. An undo of the run restores the
 * earlier values.
 *
 * @returns how many people changed
 */
export async function fallBackForMissing(ctx: TxCtx, work: Work, people: Id<"sub">[]): Promise<number> {
  const { mapping, priority } = work.config;
  const departed = { id: work.connector_id, mapping, priority, is_default: false };
  const rewritten = await fallBackToNextSource(ctx, departed, people, { clears: true });
  const changes = rewritten.flatMap(({ id, result }) =>
    "before" in result ? [{ subjectId: id, before: valuesOf(result.before), adopted: false, ...timesOf(result) }] : [],
  );
  await keepChanges(ctx, work.id, changes);
  return changes.length;
}

/** The values that a run restores for a person whose status it did not change. */
const valuesOf = ({ status: _, ...values }: SubjectBefore): Partial<SubjectBefore> => values;

const timesOf = (result: Accepted) => ({
  writtenAt: "row" in result ? result.row.updated_at : null,
  previousAt: "previousAt" in result ? result.previousAt : null,
});
