import type { Id } from "@/server/core/ids";
import type { TxCtx } from "@/server/core/context";
import { supersededReason } from "@/server/credentials/insert-credentials";

/** What becomes of a field of an event's object, wherever it stands in the body. */
export type FieldTreatment = "empty" | "null" | "hash" | "null unless ours";

/**
 * The fields of events about a subject or a credential that may hold a personal datum. A test compares them with the
 * catalogue.
 */
export const personalFields = {
  displayName: "empty",
  email: "null",
  externalId: "hash",
  suspensionReason: "null unless ours",
  revocationReason: "null unless ours",
  resumptionReason: "null unless ours",
} as const satisfies Record<string, FieldTreatment>;

/** The last number given out in the organisation's log. */
export async function lastSequence(ctx: TxCtx): Promise<number> {
  const [row] = await ctx.tx.sql<{ last: number }>(
    `SELECT last_sequence AS last FROM event_counters WHERE org_id = $1`,
    [ctx.orgId],
  );
  return row?.last ?? 0;
}

interface Person {
  /** The subject and its credentials. */
  resources: Id[];
  /** What the externalId has become. */
  externalId: string;
}

/**
 * Blanks the bodies of a person's events after a place in the log, and marks them `"erased":true`. Every other byte
 * stays.
 */
export async function blankEvents(ctx: TxCtx, { resources, externalId }: Person, after: number): Promise<void> {
  await ctx.tx.sql(statement(numbered), [ctx.orgId, resources, externalId, after]);
}

/**
 * The same for those that have no number yet. The caller keeps the sequencer out meanwhile: it appends to these bodies.
 */
export async function blankWaitingEvents(ctx: TxCtx, { resources, externalId }: Person): Promise<void> {
  await ctx.tx.sql(statement(waiting), [ctx.orgId, resources, externalId]);
}

const numbered = `
  SELECT e.* FROM unnest($2::uuid[]) AS given (id)
  CROSS JOIN LATERAL (SELECT ctid AS tid, body FROM events WHERE org_id = $1 AND resource_id = given.id AND sequence > $4 AND NOT erased OFFSET 0) e`;

// By the index of what waits, which holds what the whole organisation wrote in the last milliseconds.
const waiting = `
  SELECT ctid AS tid, body FROM events WHERE org_id = $1 AND sequence IS NULL AND resource_id = ANY($2::uuid[]) AND NOT erased`;

// The rows are joined by ctid alone: with org_id beside it, a plan from the time when the table was empty reads the
// whole organisation and joins that.
const statement = (of: string) => `
WITH about AS MATERIALIZED (${of}
), blanked AS MATERIALIZED (
  SELECT tid, ${blankedBody} AS body FROM about
)
UPDATE events SET erased = true, body = CASE
    WHEN sequence IS NULL THEN blanked.body || ',"erased":true'
    ELSE regexp_replace(blanked.body, ',"sequence":\\d+\\}$', ',"erased":true\\&') END
FROM blanked WHERE events.ctid = blanked.tid AND events.body <> blanked.body`;

// A quote within a JSON string is escaped, so that a name followed by `":` is a key. A reason of ours names nobody and
// stays.
const string = String.raw`"(?:[^"\\]|\\.)*"`;
const ours = `"${supersededReason.replaceAll(".", String.raw`\.`)}"`;
const names = (treatment: FieldTreatment) =>
  Object.entries(personalFields)
    .filter(([, each]) => each === treatment)
    .map(([name]) => name)
    .join("|");
const replaced: [pattern: string, by: string][] = [
  [`"(${names("empty")})":${string}`, String.raw`'"\1":""'`],
  [`"(${names("null")})":${string}`, String.raw`'"\1":null'`],
  [`"(${names("hash")})":${string}`, String.raw`'"\1":"' || $3::text || '"'`],
  [`"(${names("null unless ours")})":(?!${ours})${string}`, String.raw`'"\1":null'`],
];
const blankedBody = replaced.reduce(
  (inner, [pattern, by]) => `regexp_replace(${inner}, '${pattern}', ${by}, 'g')`,
  "body",
);
