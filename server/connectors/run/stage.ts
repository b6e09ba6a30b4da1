import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { settingsFor } from "../file/convert";
import { FileError } from "../file/file-error";
import { formOf } from "../file/form";
import { readHead, readRecords, type CsvRecord, type Position, type Source } from "../file/read-csv";
import { isRejectedFile } from "../file/rejected-file";
import type { CellError } from "../map-row";
import type { CsvSettings } from "../types";
import { duplicate } from "./decide";
import { signOfCutOff } from "./hold";
import { countFilled, emptiableFields, sparseFields, type Filled } from "./filled";
import { missingColumns, rejectedAsCutOff, rowReader, type FeedRow } from "./read-row";
import { blobSource } from "./unpack";
import { advance, fail, noteFullFile, type Progress, type SeenFile, type Work } from "./work";

/** A step ends after this many rows, blank ones included, or milliseconds. Steps are short, because a revocation of the key waits for them. */
const stepRows = 50_000;
const stepMs = 5_000;

/** The most rows and bytes of the file that one statement stores. */
const batchSize = 1_000;
const batchBytes = 4 * 1024 * 1024;

/** The most row errors that are stored for a run. All are counted. */
const keptErrors = 10_000;

/** The most characters of rejected rows that are stored for a run. */
const rejectedCharacters = 16 * 1024 * 1024;

/** The most rows of one file. */
const rowLimit = 5_000_000;

/**
 * Reads the next rows of the file into connector_rows, validated as the API does. Rows and the position in the file are
 * committed together, so that a killed worker leaves no partial step.
 */
export async function stage(ctx: TxCtx, work: Work): Promise<void> {
  try {
    const { position, unpacked } = work.progress;
    if (!position && (await repeatsLastRun(ctx, work))) return;
    if (!position && !unpacked && (await formOf(blobSource(work, work.sha256!))) !== "text") {
      await advance(ctx, work, { phase: "unpacking" });
      return ctx.tx.nudgeAfterCommit("connectors");
    }
    await stageRows(ctx, work);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    await fail(ctx, work, error.toJSON());
  }
}

/**
 * Whether the previous run applied the same file completely with the same settings, so that there is nothing to do. Any
 * other run in between counts too, because a cancelled run may have applied a part of another file. A file that may be cut
 * off is read again: an approval, or the absence of somebody, may let its last row pass now (docs/decisions/611).
 */
async function repeatsLastRun(ctx: TxCtx, work: Work): Promise<boolean> {
  const [last] = await ctx.tx.sql<{ same: boolean; rows: number; unchanged: number; rejected: number; file: SeenFile }>(
    `SELECT status = 'succeeded' AND digest = $4 AND config = $5::jsonb AND NOT file ? 'cutOffBy' AS same, rows, rows - rejected AS unchanged, rejected, file FROM connector_runs
     WHERE org_id = $1 AND connector_id = $2 AND id < $3 AND (file ? 'headers' OR trigger = 'undo') ORDER BY id DESC LIMIT 1`,
    [ctx.orgId, work.connector_id, work.id, work.digest, work.config],
  );
  const [held] = await ctx.tx.sql(
    `SELECT 1 FROM connector_runs WHERE org_id = $1 AND connector_id = $2 AND status = 'held' LIMIT 1`,
    [ctx.orgId, work.connector_id],
  );
  if (!last?.same || held) return false;
  await ctx.tx.sql(
    `UPDATE connector_runs SET identical = true, sha256 = NULL, file = $3 WHERE org_id = $1 AND id = $2`,
    [ctx.orgId, work.id, last.file],
  );
  if (work.config.mode === "full") await noteFullFile(ctx, work.connector_id);
  const { rows, unchanged, rejected } = last;
  await advance(
    ctx,
    work,
    { phase: "finishing", progress: { final: "succeeded", noted: true } },
    { rows, unchanged, rejected },
  );
  return true;
}

async function stageRows(ctx: TxCtx, work: Work): Promise<void> {
  const isNumbered = work.progress.unpacked?.isNumbered ?? false;
  const settings = settingsFor(work.config.settings as CsvSettings, isNumbered);
  const source = blobSource(work, work.sha256!);
  const position = work.progress.position ?? (await begin(source, { ...work, settings, isNumbered }));
  if (isRejectedFile(position.headers) && work.config.mode === "full") await readAsChanges(ctx, work);
  const readRow = rowReader(work.config.mapping, position.headers);
  const until = Date.now() + stepMs;
  const progress: Progress = { ...work.progress, position: { ...position } };
  const counts = { rows: 0, rejected: 0 };
  const fields = emptiableFields(work.config.mapping);
  const filled: Filled = { rows: 0, by: {}, ...work.progress.filled };
  progress.filled = filled;
  const records = readRecords(source, settings, position);
  let batch: FeedRow[] = [];
  let stored = position.bytes;
  let read = 0;
  let ended: SeenFile | undefined;
  // A record is stored only when the next one or the end is read, because the last row of a cut-off file must be rejected.
  let pending: CsvRecord | undefined;
  const keep = (record: CsvRecord, isSuspect = false) => {
    Object.assign(progress.position!, record.end);
    read++;
    if (record.isBlank) return;
    const row = isSuspect ? rejectedAsCutOff(readRow(record)) : readRow(record);
    batch.push(row);
    counts.rows++;
    if (row.input) countFilled(filled, fields, row.input, row.groups);
    else counts.rejected++;
    if (row.key === null) progress.unknown = (progress.unknown ?? 0) + 1;
  };
  let storing = Promise.resolve();
  /** Stores the batch while the next one is read. */
  const storeBatch = async () => {
    await storing;
    storing = insert(ctx, work, batch, progress);
    storing.catch(() => undefined);
    batch = [];
  };
  try {
    for (;;) {
      const next = await records.next();
      if (next.done) {
        ended = { headers: position.headers, ...next.value };
        const last =
          pending && !pending.isBlank
            ? { key: readRow(pending).key, listed: batch.flatMap(({ key }) => key ?? []) }
            : null;
        const cutOffBy = await signOfCutOff(ctx, work, ended, last);
        if (cutOffBy) ended.cutOffBy = cutOffBy;
        if (pending) keep(pending, cutOffBy !== undefined);
        break;
      }
      const kept = pending;
      pending = next.value;
      if (!kept) continue;
      keep(kept);
      if (read % batchSize === 0 || kept.end.bytes - stored >= batchBytes) {
        await storeBatch();
        stored = kept.end.bytes;
        if (read >= stepRows || Date.now() > until) break;
      }
    }
  } finally {
    // Wait for the last insert even if reading failed: otherwise it would still run while the failure is recorded.
    await storing;
  }
  await records.return({ endsWithLineEnd: false });
  await insert(ctx, work, batch, progress);
  if (work.rows + counts.rows > rowLimit)
    throw new FileError("too_many_rows", `The file has more than ${rowLimit} rows. Split it.`);
  if (!ended) return advance(ctx, work, { phase: "staging", progress }, counts);
  const isEmpty = work.rows + counts.rows === 0;
  // A fetched list of changes may be empty: nobody changed.
  if (isEmpty && !(work.trigger !== "upload" && work.config.mode === "delta"))
    throw new FileError("no_rows", "The file has no rows below its first line. Nothing was changed.");
  await ctx.tx.sql(`UPDATE connector_runs SET file = $3, sha256 = NULL WHERE org_id = $1 AND id = $2`, [
    ctx.orgId,
    work.id,
    ended,
  ]);
  await advance(
    ctx,
    work,
    { phase: "planning", progress: { unknown: progress.unknown ?? 0, sparse: sparseFields(filled, fields) } },
    counts,
  );
}

/**
 * Makes this a run of a file that lists only some people. A corrected file of rejected rows is one, however it was sent:
 * nobody is missing from it (docs/decisions/439).
 */
async function readAsChanges(ctx: TxCtx, work: Work): Promise<void> {
  work.config = { ...work.config, mode: "delta" };
  await ctx.tx.sql(`UPDATE connector_runs SET config = $3 WHERE org_id = $1 AND id = $2`, [
    ctx.orgId,
    work.id,
    work.config,
  ]);
}

/**
 * Reads the first line of a file and checks that it has all columns of the mapping.
 * @throws FileError
 */
export async function begin(
  source: Source,
  {
    config,
    settings,
    isNumbered,
  }: { config: Pick<Work["config"], "mapping">; settings: CsvSettings; isNumbered: boolean },
): Promise<Position> {
  const position = await readHead(source, settings, isNumbered);
  const missing = missingColumns(config.mapping, position.headers);
  const { headers } = position;
  if (missing.length > 0 && headers.some((header) => header.includes("\0")))
    throw new FileError(
      "wrong_encoding",
      "The first line holds NUL characters, as UTF-16 without a byte order mark does. Export the file as UTF-8, or with a byte order mark.",
      1,
    );
  if (missing.length > 0 && /^sep=/i.test(headers[0]!))
    throw new FileError(
      "missing_column",
      "The first line is a note for Excel (sep=), and not the names of the columns. Export the file without it.",
      1,
    );
  if (missing.length > 0)
    throw new FileError(
      "missing_column",
      `The file has no column${missing.length === 1 ? "" : "s"} ${missing.map((name) => JSON.stringify(name)).join(", ")}, which the mapping reads. The first line must hold the names of the columns, spelled as in the mapping; it has ${headers.length} cell${headers.length === 1 ? "" : "s"}.`,
      1,
    );
  return position;
}

async function insert(ctx: TxCtx, work: Work, rows: FeedRow[], progress: Progress): Promise<void> {
  const { id } = work;
  const known = rows.flatMap(({ key, line, input, groups }): object[] => {
    if (key === null) return [];
    if (!input) return [{ key, line, fields: null, groups: null }];
    const { externalId: _, ...fields } = input;
    return [{ key, line, fields, groups }];
  });
  if (known.length > 0)
    await ctx.tx.sql(
      `INSERT INTO connector_rows (org_id, run_id, key, line, fields, groups)
       SELECT $1, $2, row.key, row.line, nullif(row.fields, 'null'), row.groups FROM jsonb_to_recordset($3::jsonb) AS row (key text, line int, fields jsonb, groups text[])`,
      [ctx.orgId, id, JSON.stringify(known)],
    );
  ctx.tx.wrote("connector_rows", known.length);
  const rejected = await rowsToReject(ctx, work, rows);
  const repeats = await repeatingLines(ctx, work, rejected);
  await keepRejected(
    ctx,
    work,
    rejected.filter(({ line }) => !repeats.has(line)),
    progress,
  );
  const room = keptErrors - (progress.errors ?? 0);
  const wrong = rows
    .flatMap(({ line, input, errors }) => {
      // apply() rejects the valid rows that repeat an id.
      const all = !input && repeats.has(line) ? [duplicate, ...errors] : errors;
      return all.map((error, index) => ({ line, index: index + 1, ...error }));
    })
    .slice(0, Math.max(0, room));
  await insertErrors(ctx, id, wrong);
  progress.errors = (progress.errors ?? 0) + wrong.length;
}

/** Finds the rows whose key an earlier row of the file has. */
async function repeatingLines(ctx: TxCtx, work: Work, rows: FeedRow[]): Promise<Set<number>> {
  return findLines(
    ctx,
    rows,
    `EXISTS (SELECT FROM connector_rows r WHERE r.org_id = $1 AND r.run_id = $4 AND r.key = given.key AND r.line < given.line OFFSET 0)`,
    work.id,
  );
}

/**
 * Returns the rows that are rejected: invalid ones, and those that apply() will reject because the connector may not take
 * over their person.
 */
async function rowsToReject(ctx: TxCtx, work: Work, rows: FeedRow[]): Promise<FeedRow[]> {
  const refused = await linesToRefuse(ctx, work, rows);
  return rows.filter(({ input, line }) => !input || refused.has(line));
}

/** Finds the rows whose person the connector may not take over. */
async function linesToRefuse(ctx: TxCtx, work: Work, rows: FeedRow[]): Promise<Set<number>> {
  if (work.config.adopt !== "never") return new Set();
  return findLines(
    ctx,
    rows.filter(({ input }) => input),
    `EXISTS (SELECT FROM subjects s WHERE s.org_id = $1 AND s.external_id = given.key OFFSET 0)
       AND NOT EXISTS (SELECT FROM subject_sources o WHERE o.org_id = $1 AND o.source_id = $4 AND o.key = given.key OFFSET 0)`,
    work.connector_id,
  );
}

/** Finds the rows that have a key and fulfil a condition in SQL, which may use `given` and $4. */
async function findLines(ctx: TxCtx, rows: FeedRow[], condition: string, about: Id): Promise<Set<number>> {
  const given = rows.filter(({ key }) => key !== null);
  if (given.length === 0) return new Set();
  const found = await ctx.tx.sql<{ line: number }>(
    `SELECT given.line FROM unnest($2::text[], $3::int[]) AS given (key, line) WHERE ${condition}`,
    [ctx.orgId, given.map(({ key }) => key), given.map(({ line }) => line), about],
  );
  return new Set(found.map(({ line }) => line));
}

/**
 * Stores rejected rows as they are in the file, so that people can export and correct them: those of the stored errors, up
 * to 16 MiB per run. apply() no longer has their cells. Rows that repeat an id are not stored (docs/decisions/630).
 */
async function keepRejected(ctx: TxCtx, work: Work, rejected: FeedRow[], progress: Progress): Promise<void> {
  let room = rejectedCharacters - (progress.rejectedSize ?? 0);
  const kept = rejected.flatMap(({ line, cells }) => {
    room -= cells.reduce((sum, cell) => sum + cell.length, 0);
    return room < 0 || (progress.errors ?? 0) >= keptErrors ? [] : [{ line, cells }];
  });
  progress.rejectedSize = rejectedCharacters - Math.max(0, room);
  if (kept.length === 0) return;
  await ctx.tx.sql(
    `INSERT INTO connector_rejected_rows (org_id, run_id, line, cells)
     SELECT $1, $2, row.line, row.cells FROM jsonb_to_recordset($3::jsonb) AS row (line int, cells text[]) ON CONFLICT DO NOTHING`,
    [ctx.orgId, work.id, JSON.stringify(kept)],
  );
  ctx.tx.wrote("connector_rejected_rows", kept.length);
}

/** Stores errors of rows. */
export async function insertErrors(
  ctx: TxCtx,
  runId: Work["id"],
  errors: (CellError & { line: number; index: number })[],
): Promise<void> {
  if (errors.length === 0) return;
  await ctx.tx.sql(
    `INSERT INTO connector_row_errors (org_id, run_id, line, "index", "column", code, message)
     SELECT $1, $2, e.* FROM jsonb_to_recordset($3::jsonb) AS e (line int, "index" int, "column" text, code text, message text)
     ON CONFLICT DO NOTHING`,
    [ctx.orgId, runId, JSON.stringify(errors)],
  );
}
