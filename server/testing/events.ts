import { publicId, type Id } from "@/server/core/ids";
import { sql } from "@/server/testing/sql";

/** The events of an organisation in the order of writing, sequenced or not. */
export async function eventsOf(orgId: Id<"org">) {
  const rows = await sql<{ id: Id<"evt">; type: string; body: string }>(
    `SELECT id, type, body FROM events WHERE org_id = $1 ORDER BY position`,
    [orgId],
  );
  return rows.map(({ id, type, body }) => ({
    id: publicId("evt", id),
    type,
    ...(JSON.parse(/,"sequence":\d+}$/.test(body) ? body : `${body}}`) as {
      data: { object: Record<string, unknown>; previous?: Record<string, unknown> };
    }),
  }));
}
