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
import { resolve, type Known } from "./resolve";
import { insertErrors } from "./stage";
import type { Place, Work } from "./work";

const setSize = 2_000;

/** The most bytes of a batch of rows, not counting its last row. The people of a batch are read and written together. */
const setBytes = 8 * 1024 * 1024;

interface StagedRow {
  key: string;
  line: number;
  fields: Omit<UpsertInput, "externalId"> | null;
  groups: string[] | null;
  shares_email: boolean;
}

interface Decided {
  row: StagedRow;
  input: UpsertInput;
  known: Known | null;
}

export type BatchCounts = Record<"created" | "updated" | "unchanged" | "deactivated" | "rejected", number>;

/** The rows that a batch is taken from: those after a place and, if `until` is set, with a smaller key than it. */
export interface Range {
  after: Place;
  until: string | null;
}

/**
 * Applies the next batch of staged rows through writeSubjects. If the run holds deactivations, a row that deactivates a
 * person is applied except for the status, and the deactivation is staged for approval.
 * @returns null if no row is left
 */
export async function applyBatch(
  ctx: TxCtx,
  work: Work,
  { after, until }: Range,
): Promise<{ last: Place; counts: BatchCounts } | null> {
  const [rows, precedence] = await Promise.all([
    ctx.tx.sql<StagedRow>(until === null ? nextRows("") : nextRows("AND key < $7"), [
      ctx.orgId,
      work.id,
      after.key,
      after.line,
      setSize,
      setBytes,
      ...(until === null ? [] : [until]),
    ]),
    precedenceOf(ctx, work),
  ]);
  if (rows.length === 0) return null;
  const errors: (CellError & { line: number; index: number })[] = [];
  const reject = ({ line }: StagedRow, error: CellError) => errors.push({ ...error, line, index: 0 });
  const decided = await decideAll(ctx, work, { rows, precedence, after }, reject);
  if (work.hold) await holdBack(ctx, work, decided);
  const written = await writeAccepted(
    ctx,
    decided.map(({ input }) => input),
    { type: "connector", id: work.connector_id, key: null, inactive: null },
  );
  const counts = { created: 0, updated: 0, unchanged: 0, deactivated: 0 };
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
    dropOlder(ctx, work, decided),
  ]);
  await forgetAbsence(ctx, confirmed);
  await stageJoins(ctx, work, listed);
  await dropEndings(ctx, work, refused);
  await markApplied(ctx, work, ended);
  await insertErrors(ctx, work.id, errors);
  const { key, line } = rows.at(-1)!;
  return { last: { key, line }, counts: { ...counts, rejected: errors.length } };
}

const nextRows = (end: string) =>
  `SELECT key, line, fields, groups, shares_email FROM (
     SELECT key, line, fields, groups, shares_email, sum(size) OVER (ORDER BY key, line ROWS UNBOUNDED PRECEDING) - size AS before FROM (
       SELECT key, line, fields, groups, shares_email, coalesce(octet_length(fields::text), 0) AS size FROM connector_rows
       WHERE org_id = $1 AND run_id = $2 AND (key, line) > ($3, $4) ${end} ORDER BY key, line LIMIT $5
     ) next
   ) next WHERE before < $6 ORDER BY key, line`;

async function decideAll(
  ctx: TxCtx,
  work: Work,
  { rows, precedence, after }: { rows: StagedRow[]; precedence: Precedence[]; after: Place },
  reject: (row: StagedRow, error: CellError) => void,
): Promise<Decided[]> {
  let last = after.line < 0 ? undefined : after.key;
  const valid = rows.filter((row) => {
    const again = row.key === last;
    last = row.key;
    if (again && row.fields) reject(row, duplicate);
    return row.fields && !again;
  });
  const found = await resolve(
    ctx,
    work.connector_id,
    valid.map(({ key, fields, shares_email }) => ({
      key,
      email: work.config.adopt === "email" ? (fields!.email ?? null) : null,
      isShared: shares_email,
    })),
    precedence.map(({ id }) => id),
  );
  const seen = new Set<string>();
  return valid.flatMap((row, i): Decided[] => {
    const decision = decide(work.config, precedence, { key: row.key, fields: row.fields! }, found[i]!);
    const error = "error" in decision ? decision.error : seen.has(decision.input.externalId) ? duplicate : undefined;
    if (error || "error" in decision) {
      reject(row, error!);
      return [];
    }
    seen.add(decision.input.externalId);
    return [{ row, ...decision }];
  });
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
async function dropOlder(ctx: TxCtx, work: Work, decided: Decided[]): Promise<void> {
  const [held] = await ctx.tx.sql(
    `SELECT 1 FROM connector_runs WHERE org_id = $1 AND connector_id = $2 AND status = 'held' LIMIT 1`,
    [ctx.orgId, work.connector_id],
  );
  if (!held) return;
  const given = [ctx.orgId, work.connector_id, decided.flatMap(({ known }) => (known ? [known.id] : [])), work.id];
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
