import type { Id } from "@/server/core/ids";
import type { TxCtx } from "@/server/core/context";
import { supersededReason } from "@/server/credentials/insert-credentials";

/** What erasure does with a field of an event's object, at any depth of the body. */
export type FieldTreatment = "empty" | "null" | "hash" | "null unless ours";

/**
 * The fields of subject and credential events that may hold personal data. A test compares them with the event
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

interface Person {
  /** The subject and its credentials. */
  resources: Id[];
  /** The hash that replaces the externalId. */
  externalId: string;
}

/**
 * Blanks the bodies of a person's events, numbered or not, and marks them `"erased":true`. Every other byte stays.
 *
 * @returns the ids of the events that contained data of the person
 */
export async function blankEvents(ctx: TxCtx, { resources, externalId }: Person): Promise<Id<"evt">[]> {
  const rows = await ctx.tx.sql<{ id: Id<"evt"> }>(statement(), [ctx.orgId, resources, externalId]);
  return rows.map(({ id }) => id);
}

// A person's events are in the log or in the outbox, which holds only the whole organisation's events of the last
// milliseconds.
const statement = () => `
WITH about AS MATERIALIZED (
  SELECT logged.id FROM unnest($2::uuid[]) AS given (id)
  CROSS JOIN LATERAL (SELECT id FROM event_log WHERE org_id = $1 AND resource_id = given.id OFFSET 0) logged
  UNION ALL
  SELECT id FROM event_outbox WHERE org_id = $1 AND resource_id = ANY($2::uuid[])
), blanked AS MATERIALIZED (
  SELECT event.org_id, event.id, event.body AS before, ${blankedBody} AS body FROM about
  CROSS JOIN LATERAL (SELECT org_id, id, body FROM events WHERE org_id = $1 AND id = about.id AND NOT erased OFFSET 0) event
)
UPDATE events e SET erased = true, body = blanked.body || ',"erased":true'
FROM blanked WHERE e.org_id = blanked.org_id AND e.id = blanked.id AND blanked.body <> blanked.before
RETURNING e.id`;

// Quotes within a JSON string are escaped, so a name followed by `":` is always a key. A reason written by the service
// names nobody and stays.
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
  "event.body",
);
