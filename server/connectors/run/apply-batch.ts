import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import type { UpsertInput } from "@/server/subjects/input";
import { forgetAbsence, provide, type Provided } from "@/server/subjects/provide";
import { writeAccepted } from "@/server/subjects/write-accepted";
import { dropEndings, stageJoins } from "../groups/stage-joins";
import type { CellError } from "../map-row";
import { keepChanges, type Change } from "./keep-changes";
import { callsInactive, decide, duplicate, refusedBy } from "./decide";
import { precedenceOf, type Precedence } from "./precedence";
import { nextRows, type Range, type StagedRow } from "./next-rows";
import { resolve, type Known } from "./resolve";
import { insertErrors } from "./stage";
import type { Place, Work } from "./work";

interface Decided {
  row: StagedRow;
  input: UpsertInput;
  known: Known | null;
}

export type BatchCounts = Record<"created" | "updated" | "unchanged" | "deactivated" | "rejected", number>;

/**
 * Applies the next batch of staged rows through writeSubjects. If the run holds deactivations, a row that deactivates a
 * person is applied except for the status, and the deactivation is staged for approval.
 * @returns null if no row is left
 */
export async function applyBatch(
  ctx: TxCtx,
  work: Work,
  range: Range,
): Promise<{ last: Place; counts: BatchCounts } | null> {
  const [rows, precedence] = await Promise.all([nextRows(ctx, work, range), precedenceOf(ctx, work)]);
  if (rows.length === 0) return null;
  const errors: (CellError & { line: number; index: number })[] = [];
  const reject = ({ line }: StagedRow, error: CellError) => errors.push({ ...error, line, index: 0 });
  const { decided, settled } = await decideAll(ctx, work, { rows, precedence, after: range.after }, reject);
  if (work.hold) await holdBack(ctx, work, decided);
  const written = await writeAccepted(
    ctx,
    decided.map(({ input }) => input),
    { type: "connector", id: work.connector_id, key: null, inactive: null },
  );
  const counts = { created: 0, updated: 0, unchanged: settled.length, deactivated: 0 };
  const provided: Provided[] = [];
  const ended: { id: Id<"sub">; line: number }[] = [];
  const changes: Change[] = [];
  const listed: { id: Id<"sub">; groups: string[] }[] = [];
  const confirmed: Id<"sub">[] = [];
  const refused: Id<"sub">[] = [];
  for (const { row, input, known } of decided) {
    const result = written.get(input.externalId)!;
    if ("error" in result) {
      reject(row, refusedBy(result.error));
      if (known) refused.push(known.id);
      continue;
    }
    if (row.groups) listed.push({ id: result.row.id, groups: row.groups });
    const deactivated = known?.status === "active" && result.row.status === "inactive";
    counts[deactivated ? "deactivated" : result.outcome]++;
    if (deactivated) ended.push({ id: result.row.id, line: row.line });
    const adopted = known !== null && !known.provided;
    if (result.outcome !== "unchanged" || adopted)
      changes.push({
        subjectId: result.row.id,
        before: result.outcome === "created" ? null : result.outcome === "updated" ? result.before : {},
        adopted,
        writtenAt: result.outcome === "unchanged" ? null : result.row.updated_at,
        previousAt: result.outcome === "updated" ? result.previousAt : null,
      });
    const inactive = callsInactive(work.config.mapping, row.fields!.status);
    const saysOtherwise = inactive !== null && inactive !== known?.inactive;
    if (known?.status === "inactive" && input.status === "inactive" && (saysOtherwise || known.missing))
      confirmed.push(known.id);
    // The write that creates a person records the source with the externalId as its key. A row that named nobody known
    // has that key.
    const isRecorded = known === null && result.outcome === "created";
    if (
      !isRecorded &&
      (!known?.provided || known.missing || known.ended || saysOtherwise || work.config.mode === "delta")
    )
      provided.push({ subjectId: result.row.id, key: row.key, inactive });
  }
  await Promise.all([
    provide(ctx, { type: "connector", id: work.connector_id }, provided),
    keepChanges(ctx, work.id, changes),
    dropOlder(ctx, work, [...settled, ...decided.flatMap(({ known }) => (known ? [known.id] : []))]),
  ]);
  await forgetAbsence(ctx, confirmed);
  await stageJoins(ctx, work, listed);
  await dropEndings(ctx, work, refused);
  await markApplied(ctx, work, ended);
  await insertErrors(ctx, work.id, errors);
  const { key, line } = rows.at(-1)!;
  return { last: { key, line }, counts: { ...counts, rejected: errors.length } };
}

async function decideAll(
  ctx: TxCtx,
  work: Work,
  { rows, precedence, after }: { rows: StagedRow[]; precedence: Precedence[]; after: Place },
  reject: (row: StagedRow, error: CellError) => void,
): Promise<{ decided: Decided[]; settled: Id<"sub">[] }> {
  let last = after.line < 0 ? undefined : after.key;
  const valid = rows.filter((row) => {
    const again = row.key === last;
    last = row.key;
    const isValid = row.fields !== null || row.settled !== null;
    if (again && isValid) reject(row, duplicate);
    return isValid && !again;
  });
  const open = valid.filter((row) => !row.settled);
  const found = await resolve(
    ctx,
    work.connector_id,
    open.map(({ key, fields, shares_email }) => ({
      key,
      email: work.config.adopt === "email" ? (fields!.email ?? null) : null,
      isShared: shares_email,
    })),
    precedence.map(({ id }) => id),
    work.id,
  );
  const people = new Map(open.map((row, i) => [row, found[i]!]));
  const settled: Id<"sub">[] = [];
  const seen = new Set<string>();
  const decided = valid.flatMap((row): Decided[] => {
    const decision = row.settled
      ? null
      : decide(work.config, precedence, { key: row.key, fields: row.fields! }, people.get(row)!);
    if (decision && "error" in decision) {
      reject(row, decision.error);
      return [];
    }
    const externalId = decision ? decision.input.externalId : row.settled!.external_id;
    if (seen.has(externalId)) {
      reject(row, duplicate);
      return [];
    }
    seen.add(externalId);
    if (decision) return [{ row, ...decision }];
    settled.push(row.settled!.id);
    return [];
  });
  return { decided, settled };
}

/** Stages the deactivations of these rows for approval, and removes the status from what is written. */
async function holdBack(ctx: TxCtx, work: Work, decided: Decided[]): Promise<void> {
  const staged = decided.filter(({ input, known }) => known?.status === "active" && input.status === "inactive");
  if (staged.length === 0) return;
  await ctx.tx.sql(
    `INSERT INTO connector_removals (org_id, run_id, connector_id, subject_id, cause, line)
     SELECT $1, $2, $3, given.id, 'status', given.line FROM unnest($4::uuid[], $5::int[]) AS given (id, line)
     ON CONFLICT DO NOTHING`,
    [ctx.orgId, work.id, work.connector_id, staged.map(({ known }) => known!.id), staged.map(({ row }) => row.line)],
  );
  ctx.tx.wrote("connector_removals", staged.length);
  for (const { input } of staged) delete input.status;
}

/** Records deactivated people with their rows. They count against the limit for the next 24 hours. */
async function markApplied(ctx: TxCtx, work: Work, ended: { id: Id<"sub">; line: number }[]): Promise<void> {
  if (ended.length === 0) return;
  await ctx.tx.sql(
    `INSERT INTO connector_removals (org_id, run_id, connector_id, subject_id, cause, line, state, applied_at)
     SELECT $1, $2, $3, given.id, 'status', given.line, 'applied', $6 FROM unnest($4::uuid[], $5::int[]) AS given (id, line)
     ON CONFLICT (org_id, run_id, subject_id) DO UPDATE SET state = 'applied', applied_at = excluded.applied_at`,
    [ctx.orgId, work.id, work.connector_id, ended.map(({ id }) => id), ended.map(({ line }) => line), ctx.now],
  );
}

/** Drops the deactivations and ends of memberships that older, held runs staged for these people: these rows are newer. */
async function dropOlder(ctx: TxCtx, work: Work, ids: Id<"sub">[]): Promise<void> {
  const [held] = await ctx.tx.sql(
    `SELECT 1 FROM connector_runs WHERE org_id = $1 AND connector_id = $2 AND status = 'held' LIMIT 1`,
    [ctx.orgId, work.connector_id],
  );
  if (!held) return;
  const given = [ctx.orgId, work.connector_id, ids, work.id];
  await ctx.tx.sql(
    `UPDATE connector_removals SET state = 'dropped' WHERE org_id = $1 AND connector_id = $2 AND subject_id = ANY($3::uuid[]) AND state = 'staged' AND run_id <> $4`,
    given,
  );
  await ctx.tx.sql(
    `UPDATE connector_member_changes ended SET state = 'dropped' FROM (
       SELECT waits.tid FROM (SELECT id FROM connector_runs WHERE org_id = $1 AND connector_id = $2 AND status = 'held' AND id <> $4 OFFSET 0) run
       CROSS JOIN unnest($3::uuid[]) AS given (id)
       CROSS JOIN LATERAL (
         SELECT ctid AS tid FROM connector_member_changes WHERE org_id = $1 AND run_id = run.id AND subject_id = given.id AND state = 'staged' OFFSET 0
       ) waits
     ) found WHERE ended.ctid = found.tid`,
    given,
  );
}
