import type { TxCtx } from "@/server/core/context";
import type { DomainError } from "@/server/core/errors";
import { firstId, newId, type Id } from "@/server/core/ids";
import { appendAll } from "@/server/events/append";
import { areTooLarge, overgrown } from "./attributes";
import { changeEvent } from "./change-event";
import { dropRemovalsOf } from "./drop-removals";
import { erasedAmong, selectErasureKey, subjectErased, type ErasureKeyRow } from "./erased";
import { externalIdTaken, type UpsertInput } from "./input";
import { forgetAbsence, type Feed, type Provided } from "./provide";
import { sourceOf } from "./sources";
import { subjectColumns, type SubjectRow } from "./view";
import { differs, newValues, nextValues } from "./would-change";

interface Written extends SubjectRow {
  old_id: Id<"sub"> | null;
  old_display_name: string;
  old_email: string | null;
  old_status: string;
  old_attributes: SubjectRow["attributes"];
  old_updated_at: Date | null;
}

/** A feed that provides the subjects of a write from now on, where the write creates them. */
export interface FeedSource extends Feed, Pick<Provided, "inactive" | "stated"> {
  /** The feed's own key for the one subject of the set; null if each subject's externalId is its key. */
  key: string | null;
}

/** The fields of a subject before a write, as an upsert has them. */
export type SubjectBefore = Required<Pick<UpsertInput, "displayName" | "email" | "status" | "attributes">>;

export type WrittenSubject =
  | { row: SubjectRow; outcome: "created" | "unchanged" }
  /** `previousAt`: updatedAt before the write. */
  | { row: SubjectRow; outcome: "updated"; before: SubjectBefore; previousAt: Date }
  /**
   * external_id_taken if the row demands a new subject and the externalId exists; subject_erased; invalid_request if
   * the merged attributes are too large. If `wrote` is true, the subject was written and the caller must roll that
   * back.
   */
  | { error: DomainError; wrote: boolean };

/**
 * Creates or updates subjects, idempotent on externalId, in one statement per 500 subjects. Fields that were not sent
 * stay, attributes are merged or replaced row by row, and a subject that would not change is not written. Each
 * externalId may occur once. Emits subject.created, subject.updated or subject.deactivated for each written subject. The upsert also
 * records the source (sources.ts); with `source` null, the caller records it. A feed is recorded as the source of the
 * subjects that the write creates; the caller records it for others, since a feed also provides subjects that it does not
 * change. Whoever becomes active, or whom the API or the console calls inactive, is no longer inactive because of an
 * absence.
 * @returns the outcome of each row, by externalId. If an error has `wrote`, the caller rolls back the whole set.
 */
export async function writeSubjects(
  ctx: TxCtx,
  inputs: UpsertInput[],
  source: "api" | "console" | FeedSource | null = sourceOf(ctx.actor),
): Promise<Map<string, WrittenSubject>> {
  const parts = inParts(inputs);
  let erasureKey: Promise<ErasureKeyRow[]> | undefined;
  const write = (at: number) => {
    const rows = ctx.tx.sql<Written>(upsertSet, [ctx.orgId, asSent(parts[at]!), ctx.now, ...columnsOfSource(source)]);
    // The key is read by a statement after all upserts. If one of them waited for an erasure, that statement sees what
    // the erasure has committed.
    if (at === parts.length - 1) erasureKey = ctx.tx.sql<ErasureKeyRow>(selectErasureKey, [ctx.orgId]);
    // A failure is thrown where the rows are awaited. Until then it must not count as unhandled.
    for (const sent of [rows, erasureKey]) sent?.catch(() => undefined);
    return rows;
  };
  const written: Written[] = [];
  let unreported: Written[] = [];
  // PostgreSQL writes a part while the events of the part before it are rendered.
  let writing = write(0);
  for (let at = 0; at < parts.length; at++) {
    const isLast = at === parts.length - 1;
    const current = writing;
    if (!isLast) writing = write(at + 1);
    const rows = await current;
    written.push(...rows);
    unreported.push(...rows);
    if (unreported.length < partSize && !isLast) continue;
    await appendAll(ctx, unreported.map(eventOf));
    unreported = [];
  }
  // An erased person's externalId was replaced by a hash, so an upsert with the former one creates a new subject.
  const erased = await erasedAmong(
    ctx,
    (await erasureKey!)[0],
    written.filter((row) => row.old_id === null).map((row) => row.external_id),
  );
  const results = new Map<string, WrittenSubject>();
  for (const { old_id, old_display_name, old_email, old_status, old_attributes, old_updated_at, ...row } of written) {
    if (erased.has(row.external_id)) results.set(row.external_id, { error: subjectErased(), wrote: true });
    else
      results.set(
        row.external_id,
        areTooLarge(row.attributes)
          ? { error: overgrown(), wrote: true }
          : old_id === null
            ? { row, outcome: "created" }
            : {
                row,
                outcome: "updated",
                previousAt: old_updated_at!,
                before: {
                  displayName: old_display_name,
                  email: old_email,
                  status: old_status as SubjectBefore["status"],
                  attributes: old_attributes,
                },
              },
      );
  }
  const activated = written.filter((row) => row.old_status === "inactive" && row.status === "active");
  const isByHand = source === "api" || source === "console";
  if (isByHand)
    await dropRemovalsOf(
      ctx,
      activated.map((row) => row.id),
    );
  ctx.tx.wrote("subjects", written.length);
  if (source) ctx.tx.wrote("subject_sources", written.length);
  const left = inputs.filter(({ externalId }) => !results.has(externalId));
  if (left.length > 0) {
    const rows = await ctx.tx.sql<SubjectRow>(unchanged, [ctx.orgId, left.map(({ externalId }) => externalId)]);
    const mustBeNew = new Set(left.filter(({ ifExists }) => ifExists === "fail").map(({ externalId }) => externalId));
    for (const row of rows) {
      if (row.erased_at) results.set(row.external_id, { error: subjectErased(), wrote: false });
      else
        results.set(
          row.external_id,
          mustBeNew.has(row.external_id)
            ? { error: externalIdTaken(row.id), wrote: false }
            : { row, outcome: "unchanged" },
        );
    }
  }
  const confirmed = isByHand ? inputs.flatMap((input) => confirmedInactive(input, results)) : [];
  await forgetAbsence(ctx, [...activated.map((row) => row.id), ...confirmed]);
  return results;
}

/** The person whom an upsert marks as inactive, if the person was inactive before. */
function confirmedInactive({ externalId, status }: UpsertInput, results: Map<string, WrittenSubject>): Id<"sub">[] {
  const result = results.get(externalId);
  if (status !== "inactive" || !result || "error" in result || result.outcome === "created") return [];
  const wasInactive = result.outcome !== "updated" || result.before.status === "inactive";
  return wasInactive ? [result.row.id] : [];
}

/**
 * The most subjects of one statement. With 250, PostgreSQL takes 5 % longer; with more than 500, it waits longer for the
 * events of the last part.
 */
const partSize = 500;

/**
 * Splits a set into the parts of its statements. jsonb_each returns keys in the order of their length in bytes, then of
 * their bytes. The parts have the same order, so two sets with the same people lock them in one order, whatever their parts.
 */
function inParts(inputs: UpsertInput[]): UpsertInput[][] {
  if (inputs.length <= partSize) return [inputs];
  const sorted = inputs
    .map((input) => ({ input, key: Buffer.from(input.externalId) }))
    .sort((a, b) => a.key.length - b.key.length || Buffer.compare(a.key, b.key))
    .map(({ input }) => input);
  return Array.from({ length: Math.ceil(sorted.length / partSize) }, (_, n) =>
    sorted.slice(n * partSize, (n + 1) * partSize),
  );
}

// Joins the JSON of each person. To make one object of all takes three times as long, because V8 keeps its keys, the
// external ids, in a table of unique strings.
const asSent = (inputs: UpsertInput[]) =>
  `{${inputs.map(({ externalId, ...fields }) => `${JSON.stringify(externalId)}:${JSON.stringify({ ...fields, id: newId("sub") })}`).join()}}`;

const eventOf = (row: Written) =>
  changeEvent(
    row,
    row.old_id === null ? null : { displayName: row.old_display_name, email: row.old_email, status: row.old_status },
  );

const columnsOfSource = (source: "api" | "console" | FeedSource | null) =>
  source && typeof source === "object"
    ? [source.type, source.id, source.key, source.inactive, source.stated]
    : [source, firstId, null, null, null];

const unchanged = `
SELECT subject.* FROM unnest($2::text[]) AS given (external_id)
CROSS JOIN LATERAL (SELECT ${subjectColumns} FROM subjects s WHERE org_id = $1 AND s.external_id = given.external_id OFFSET 0) subject`;

const inSent = "$2::jsonb -> excluded.external_id";
const next = nextValues(inSent, "excluded");

// jsonb_each always returns the keys of an object in the same order, so two sets with the same people cannot deadlock
// (inParts).
// Subjects that would not change are left out before the insert, because ON CONFLICT locks each row that it meets and
// logs the lock: a file in which one in twenty changed would cost as much as a new one. The condition of DO UPDATE
// repeats the comparison for a subject that another transaction changed meanwhile.
const upsertSet = `
WITH sent AS MATERIALIZED (
  SELECT (value ->> 'id')::uuid AS id, key AS external_id, ${newValues("value")}, value
  FROM jsonb_each($2::jsonb)
), written AS (INSERT INTO subjects AS s (org_id, id, external_id, display_name, email, status, attributes, created_at, updated_at)
SELECT $1, sent.id, sent.external_id, sent.display_name, sent.email, sent.status, sent.attributes, $3, $3
FROM sent LEFT JOIN LATERAL (
  SELECT ${differs(nextValues("sent.value", "sent"))} AS differs FROM subjects s WHERE s.org_id = $1 AND s.external_id = sent.external_id OFFSET 0
) known ON true
WHERE known.differs IS NOT FALSE
ON CONFLICT (org_id, external_id) DO UPDATE SET
  display_name = ${next.display_name}, email = ${next.email}, status = ${next.status}, attributes = ${next.attributes}, updated_at = excluded.updated_at
WHERE s.erased_at IS NULL AND ${inSent} ->> 'ifExists' IS DISTINCT FROM 'fail' AND ${differs(next)}
RETURNING new.id, new.external_id, new.display_name, new.email, new.status, new.attributes, new.photo_at, new.photo_status, new.photo_reason, new.photo_by, new.erased_at, new.created_at, new.updated_at,
  old.id AS old_id, old.display_name AS old_display_name, old.email AS old_email, old.status AS old_status, old.attributes AS old_attributes, old.updated_at AS old_updated_at
), noted AS (
  INSERT INTO subject_sources (org_id, subject_id, type, source_id, key, last_seen_at, inactive, stated)
  SELECT $1, id, $4, $5::uuid, CASE WHEN $5::uuid <> '${firstId}' THEN coalesce($6, external_id) END, $3, coalesce($7, status = 'inactive'), $8 FROM written
  WHERE $4::text IS NOT NULL AND ($5::uuid = '${firstId}' OR old_id IS NULL)
  ON CONFLICT (org_id, subject_id, type, source_id) DO UPDATE SET last_seen_at = excluded.last_seen_at, inactive = excluded.inactive
)
SELECT * FROM written`;
