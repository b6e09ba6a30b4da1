import type { Query } from "@/server/core/db";
import { readAnyId, type Id } from "@/server/core/ids";

/**
 * Returns the names of keys, clients and people by their public ids. Former members are named too; deleted keys are
 * not.
 */
export async function namesOf(
  sql: Query,
  orgId: Id<"org">,
  told: readonly (string | null)[],
): Promise<Map<string, string>> {
  const ids = [...new Set(told)].filter((id) => id !== null);
  const rows = await sql<{ id: string; name: string }>(
    `SELECT given.told AS id, named.name FROM unnest($2::text[], $3::uuid[]) AS given (told, id) CROSS JOIN LATERAL (
       SELECT name FROM api_keys WHERE org_id = $1 AND api_keys.id = given.id
       UNION ALL SELECT name FROM oauth_clients WHERE org_id = $1 AND oauth_clients.id = given.id
       UNION ALL SELECT coalesce(nullif(name, ''), email) FROM users WHERE users.id = given.id
     ) named`,
    [orgId, ids, ids.map(readAnyId)],
  );
  return new Map(rows.map((row) => [row.id, row.name]));
}
