import type { Actor } from "@/server/core/context";
import type { Query } from "@/server/core/db";

/** What people call these actors: a user's name or address, a key's or client's name. By id; whoever is gone has none. */
export async function namesOf(sql: Query, orgId: string, actors: Actor[]): Promise<Map<string, string>> {
  const ids = [...new Set(actors.map((actor) => actor.id))];
  if (ids.length === 0) return new Map();
  const rows = await sql<{ id: string; name: string }>(
    `SELECT id, name FROM api_keys WHERE org_id = $1 AND id = ANY ($2)
     UNION ALL SELECT id, name FROM oauth_clients WHERE org_id = $1 AND id = ANY ($2)
     UNION ALL SELECT u.id, coalesce(nullif(u.name, ''), u.email) FROM users u WHERE u.id = ANY ($2)`,
    [orgId, ids],
  );
  return new Map(rows.map((row) => [row.id, row.name]));
}
