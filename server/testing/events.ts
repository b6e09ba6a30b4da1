import { publicId, type Id } from "@/server/core/ids";
import { bodyWithSequence } from "@/server/events/body";
import { sql } from "@/server/testing/sql";

/** Returns the events of an organisation in the order of writing, whether or not they have a number. */
export async function eventsOf(orgId: Id<"org">) {
  const rows = await sql<{ id: Id<"evt">; type: string; body: string }>(
    `SELECT e.id, e.type, coalesce(${bodyWithSequence("e.body", "l.sequence")}, e.body || '}') AS body FROM events e
     LEFT JOIN event_log l ON l.org_id = e.org_id AND l.id = e.id LEFT JOIN event_outbox o ON o.org_id = e.org_id AND o.id = e.id
     WHERE e.org_id = $1 ORDER BY l.sequence, o.position`,
    [orgId],
  );
  return rows.map(({ id, type, body }) => ({
    id: publicId("evt", id),
    type,
    ...(JSON.parse(body) as {
      actor: { type: string; id: string };
      data: { object: Record<string, unknown>; previous?: Record<string, unknown> };
    }),
  }));
}

/** Returns the event log of an organisation in order, with the bodies as they are delivered. */
export const logOf = (orgId: Id<"org">) =>
  sql<{ id: Id<"evt">; sequence: number; type: string; resource: Id; body: string }>(
    `SELECT l.id, l.sequence, l.type, l.resource_id AS resource, ${bodyWithSequence("e.body", "l.sequence")} AS body
     FROM event_log l JOIN events e ON e.org_id = l.org_id AND e.id = l.id WHERE l.org_id = $1 ORDER BY l.sequence`,
    [orgId],
  );

/** SQL that writes events without a number, as `append` does, from a query of org_id, id, type, resource_id, body. */
export const writingEvents = (rows: string) => `
  WITH rows AS MATERIALIZED (${rows}), event AS (
    INSERT INTO events (org_id, id, type, resource_id, body) SELECT org_id, id, type, resource_id, body FROM rows
  )
  INSERT INTO event_outbox (org_id, id, type, resource_id, created_at) SELECT org_id, id, type, resource_id, now() FROM rows`;
