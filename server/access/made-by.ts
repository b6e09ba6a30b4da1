import type { Query } from "@/server/core/db";
import { publicId, type Id } from "@/server/core/ids";

/** A working key or OAuth client that a person created. */
export interface MadeAccess {
  type: "api_key" | "oauth_client";
  id: string;
  name: string;
  lastUsedAt: Date | null;
}

/** Lists the working keys and OAuth clients that this person created in the organisation, newest first. */
export async function accessMadeBy(sql: Query, orgId: Id<"org">, userId: Id<"usr">, now: Date): Promise<MadeAccess[]> {
  const made = await sql<Omit<MadeAccess, "id"> & { id: Id<"key" | "ocl"> }>(
    `SELECT type, id, name, "lastUsedAt" FROM (
       SELECT 'api_key' AS type, id, name, last_used_at AS "lastUsedAt", created_at FROM api_keys
       WHERE org_id = $1 AND created_by @> $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3)
       UNION ALL
       SELECT 'oauth_client', id, name, last_used_at, created_at FROM oauth_clients WHERE org_id = $1 AND created_by @> $2 AND revoked_at IS NULL
     ) AS made ORDER BY created_at DESC, id DESC LIMIT 1000`,
    [orgId, { type: "user", id: publicId("usr", userId) }, now],
  );
  return made.map(({ type, id, name, lastUsedAt }) => ({
    type,
    id: publicId(type === "api_key" ? "key" : "ocl", id),
    name,
    lastUsedAt,
  }));
}
