import { sql } from "@/server/core/db";

/** The events of an organisation in the order of writing, sequenced or not. */
export async function eventsOf(orgId: string) {
  const rows = await sql<{ id: string; type: string; body: string }>(`SELECT id, type, body FROM events WHERE org_id = $1 ORDER BY position`, [orgId]);
  return rows.map(({ id, type, body }) => ({ id, type, ...(JSON.parse(/,"sequence":\d+}$/.test(body) ? body : `${body}}`) as { data: { object: Record<string, unknown>; previous?: Record<string, unknown> } }) }));
}
