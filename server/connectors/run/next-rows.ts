import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import type { UpsertInput } from "@/server/subjects/input";
import { differs, newValues, nextValues } from "@/server/subjects/would-change";
import type { Place, Work } from "./work";

const setSize = 2_000;

/** The most bytes of a batch of rows, not counting its last row. The people of a batch are read and written together. */
const setBytes = 8 * 1024 * 1024;

/** The rows that a batch is taken from: those after a place and, if `until` is set, with a smaller key than it. */
export interface Range {
  after: Place;
  until: string | null;
}

export interface StagedRow {
  key: string;
  line: number;
  /** null where the row was rejected, or is settled. */
  fields: Omit<UpsertInput, "externalId"> | null;
  groups: string[] | null;
  shares_email: boolean;
  /** The person of the row, if the connector provides them already and the row changes nothing. */
  settled: { id: Id<"sub">; external_id: string } | null;
}

/**
 * Reads the next batch of staged rows, in the order of their keys.
 *
 * In a full file of people who are known, most rows change nothing. They are recognised here, in the statement that reads
 * them, and their fields are not sent (docs/decisions/742).
 */
export function nextRows(ctx: TxCtx, work: Work, { after, until }: Range): Promise<StagedRow[]> {
  const values = [ctx.orgId, work.id, after.key, after.line, setSize, setBytes];
  const end = until === null ? [] : [until];
  if (!work.progress.hasPeople)
    return ctx.tx.sql<StagedRow>(until === null ? rowsAfter("", nobody) : rowsAfter("AND key < $7", nobody), [
      ...values,
      ...end,
    ]);
  return ctx.tx.sql<StagedRow>(
    until === null ? rowsAfter("", settledPerson) : rowsAfter("AND key < $9", settledPerson),
    [...values, work.connector_id, work.config.mapping.status !== undefined, ...end],
  );
}

const rowsAfter = (end: string, settled: string) =>
  `SELECT key, line, CASE WHEN settled.person IS NULL THEN fields END AS fields, groups, shares_email, settled.person AS settled FROM (
     SELECT key, line, fields, groups, shares_email, sum(size) OVER (ORDER BY key, line ROWS UNBOUNDED PRECEDING) - size AS before FROM (
       SELECT key, line, fields, groups, shares_email, coalesce(octet_length(fields::text), 0) AS size FROM connector_rows
       WHERE org_id = $1 AND run_id = $2 AND (key, line) > ($3, $4) ${end} ORDER BY key, line LIMIT $5
     ) next
   ) r LEFT JOIN LATERAL (${settled}) settled ON true
   WHERE before < $6 ORDER BY key, line`;

const nobody = `SELECT NULL::jsonb AS person`;

const next = nextValues("r.fields", "sent");

/**
 * SQL: the person of the row `r`, as `person`, if applying it would write nothing: the connector $7 provides the person,
 * whom its last full file had too, the row says nothing of groups, and all its fields have their values already. $8:
 * whether the file says who is inactive; everybody in another file is active (callsInactive).
 */
const settledPerson = `
  SELECT jsonb_build_object('id', s.id, 'external_id', s.external_id) AS person
  FROM (SELECT subject_id, inactive FROM subject_sources WHERE org_id = $1 AND source_id = $7 AND key = r.key AND missing_since IS NULL OFFSET 0) o
  CROSS JOIN LATERAL (SELECT * FROM subjects WHERE org_id = $1 AND id = o.subject_id OFFSET 0) s
  CROSS JOIN LATERAL (SELECT ${newValues("r.fields")}) sent
  WHERE r.fields IS NOT NULL AND r.groups IS NULL
    AND o.inactive = ($8::boolean AND coalesce(r.fields ->> 'status' = 'inactive', o.inactive)) AND NOT ${differs(next)}
  OFFSET 0`;
