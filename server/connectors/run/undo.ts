import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { deleteSubjects } from "@/server/subjects/delete-set";
import { lockSet } from "@/server/subjects/lock-set";
import { noteGoneAgain, noteReturned, releaseSource } from "@/server/subjects/provide";
import { writeAccepted, type Accepted } from "@/server/subjects/write-accepted";
import type { SubjectBefore } from "@/server/subjects/write";
import { undoMemberships } from "../groups/undo";
import { providedElsewhere } from "./elsewhere";
import { advance, type Work } from "./work";

const setSize = 500;

interface Changed {
  subject_id: Id<"sub">;
  before: Partial<SubjectBefore> | null;
  adopted: boolean;
  /** updatedAt of the person before the run wrote them. */
  previous_at: Date | null;
  /** null if the person no longer exists. */
  external_id: string | null;
  status: string;
  /** Whether nobody else changed the person since and, for a created person, nothing refers to them. */
  untouched: boolean;
  held_credentials: boolean;
}

/**
 * Undoes the next batch of a run's changes (contract section 11), memberships first. Skips people who were changed since, except by an undo of
 * a newer run. Deletes people whom the run created, or deactivates them if they ever held a credential.
 */
export async function undo(ctx: TxCtx, work: Work): Promise<void> {
  if (!work.progress.undone && (await undoMemberships(ctx, work))) return;
  const next = await ctx.tx.sql<{ id: Id<"sub"> }>(nextPeople, [
    ctx.orgId,
    work.undoes,
    work.progress.undone ?? null,
    setSize,
  ]);
  if (next.length === 0) return advance(ctx, work, { phase: "finishing" });
  const people = next.map(({ id }) => id);
  // A person whom a request has just put into a group, or a directory has adopted, is read after that request.
  lockSet(ctx, people, "FOR UPDATE");
  const changes = await ctx.tx.sql<Changed>(changesOf, [ctx.orgId, work.undoes, work.connector_id, people]);
  const taken = changes.filter(({ untouched }) => untouched);
  const created = taken.filter(({ before }) => before === null);
  const deleted = await deleteSubjects(
    ctx,
    created.filter((change) => !change.held_credentials).map(({ subject_id }) => subject_id),
  );
  const ending = created.filter((change) => change.held_credentials && change.status === "active");
  const restored = taken.filter(({ before }) => before !== null && Object.keys(before).length > 0);
  // Of these people, the run changed only the groups.
  const regrouped = taken.filter(({ before, adopted }) => before && Object.keys(before).length === 0 && !adopted);
  const written = await writeAccepted(
    ctx,
    [
      ...ending.map(({ external_id }) => ({ externalId: external_id!, status: "inactive" as const })),
      ...restored.map(({ external_id, before }) => ({
        ...before,
        externalId: external_id!,
        ...(before!.attributes && { attributesMode: "replace" as const }),
      })),
    ],
    null,
  );
  const isWritten = ({ external_id }: Changed) => !("error" in written.get(external_id!)!);
  const [deactivated, updated] = [ending.filter(isWritten).length, restored.filter(isWritten).length];
  await handBack(ctx, work, restored, written);
  const refused = ending.length + restored.length - deactivated - updated;
  await releaseSource(
    ctx,
    work.connector_id,
    taken.filter(({ adopted }) => adopted).map(({ subject_id }) => subject_id),
  );
  await forgetRemovals(ctx, work, taken);
  // A file without a status activates only people who were inactive because no feed had them.
  const returned = restored.filter(({ before }) => !work.config.mapping.status && before!.status === "inactive");
  await noteGoneAgain(
    ctx,
    work.connector_id,
    [...returned, ...ending].filter(isWritten).map(({ subject_id }) => subject_id),
  );
  await advance(
    ctx,
    work,
    { phase: "undoing", progress: { undone: changes.at(-1)!.subject_id } },
    {
      rows: changes.length,
      deleted,
      deactivated,
      updated: updated + regrouped.length,
      skipped: changes.length - taken.length + refused,
    },
  );
}

const nextPeople = `
SELECT subject_id AS id FROM connector_changes
WHERE org_id = $1 AND run_id = $2 AND ($3::uuid IS NULL OR subject_id > $3) ORDER BY subject_id LIMIT $4`;

const changesOf = `
SELECT c.subject_id, c.before, c.adopted, c.previous_at, s.external_id, s.status,
  coalesce(s.erased_at IS NULL AND (c.written_at IS NULL OR s.updated_at = c.written_at)
    AND (c.before IS NOT NULL OR NOT (${providedElsewhere("c.subject_id")} OR EXISTS (
      SELECT FROM group_members m JOIN groups g ON g.org_id = m.org_id AND g.id = m.group_id
      WHERE m.org_id = $1 AND m.subject_id = c.subject_id AND g.kind = 'static' OFFSET 0))), false) AS untouched,
  EXISTS (SELECT FROM credentials WHERE org_id = $1 AND subject_id = c.subject_id OFFSET 0) AS held_credentials
FROM unnest($4::uuid[]) AS given (id)
CROSS JOIN LATERAL (
  SELECT subject_id, before, adopted, written_at, previous_at FROM connector_changes WHERE org_id = $1 AND run_id = $2 AND subject_id = given.id OFFSET 0
) c
LEFT JOIN LATERAL (
  SELECT external_id, status, erased_at, updated_at FROM subjects WHERE org_id = $1 AND id = c.subject_id OFFSET 0
) s ON true ORDER BY c.subject_id`;

/**
 * Restores the state in which the previous run left these people, as that run's own last write, so that the previous run
 * can be undone too. People whom somebody else changed between the two runs are left out. A run is looked up only for people
 * who were written while it ran (5 s more, for clocks that differ): a connector may have thousands of runs in a week.
 */
async function handBack(ctx: TxCtx, work: Work, restored: Changed[], written: Map<string, Accepted>): Promise<void> {
  const given = restored.flatMap(({ subject_id, external_id, previous_at }) => {
    const result = written.get(external_id!)!;
    return "error" in result || !previous_at ? [] : [{ id: subject_id, was: previous_at, now: result.row.updated_at }];
  });
  if (given.length === 0) return;
  await ctx.tx.sql(
    `UPDATE connector_changes SET written_at = found.now FROM (
       SELECT c.tid, given.now FROM jsonb_to_recordset($3::jsonb) AS given (id uuid, was timestamptz, now timestamptz)
       JOIN (SELECT id, started_at, finished_at FROM connector_runs WHERE org_id = $1 AND undo_until IS NOT NULL AND id < $2 OFFSET 0) run
         ON given.was BETWEEN run.started_at - interval '5 seconds' AND coalesce(run.finished_at, 'infinity') + interval '5 seconds'
       CROSS JOIN LATERAL (
         SELECT ctid AS tid FROM connector_changes
         WHERE org_id = $1 AND run_id = run.id AND subject_id = given.id AND written_at = given.was FOR UPDATE
       ) c
     ) found WHERE org_id = $1 AND connector_changes.ctid = found.tid`,
    [ctx.orgId, work.undoes, JSON.stringify(given)],
  );
}

/** The undone deactivations no longer count against the limit of 24 hours, and their people no longer as missing. */
async function forgetRemovals(ctx: TxCtx, work: Work, taken: Changed[]): Promise<void> {
  const ids = taken.filter(({ before }) => before !== null).map(({ subject_id }) => subject_id);
  if (ids.length === 0) return;
  const removals = await ctx.tx.sql<{ subject_id: Id<"sub"> }>(
    `UPDATE connector_removals SET state = 'dropped', applied_at = NULL
     WHERE org_id = $1 AND run_id = $2 AND subject_id = ANY($3::uuid[]) AND state = 'applied' RETURNING subject_id`,
    [ctx.orgId, work.undoes, ids],
  );
  const missed = await ctx.tx.sql<{ subject_id: Id<"sub"> }>(
    `SELECT subject_id FROM subject_sources WHERE org_id = $1 AND source_id = $2 AND type = 'connector' AND subject_id = ANY($3::uuid[])
       AND missing_since >= (SELECT started_at FROM connector_runs WHERE org_id = $1 AND id = $4)`,
    [ctx.orgId, work.connector_id, ids, work.undoes],
  );
  await noteReturned(ctx, work.connector_id, [
    ...new Set([...removals, ...missed].map(({ subject_id }) => subject_id)),
  ]);
}
