import { z } from "zod";
import { reading } from "@/server/core/db";
import { readAnyId } from "@/server/core/ids";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";

/**
 * Returns the names of actors by id, for histories: people (also former members), API keys and OAuth clients. Omits ids
 * that are not found.
 */
export const actorNames = query({
  name: "actors.names",
  scope: "credentials:read",
  input: z.strictObject({ ids: z.array(z.string().max(64)).max(100) }),
  run: (ctx, { ids }) =>
    reading(ctx).sql<{ id: string; name: string }>(
      `SELECT given.told AS id, coalesce(nullif(u.name, ''), u.email) AS name
       FROM unnest($2::text[], $3::uuid[]) AS given (told, id) CROSS JOIN LATERAL (SELECT * FROM users WHERE users.id = given.id OFFSET 0) u WHERE (
         EXISTS (SELECT 1 FROM memberships m WHERE m.org_id = ${opaque("$1")} AND m.user_id = u.id)
         OR EXISTS (SELECT 1 FROM audit_entries a WHERE a.org_id = $1 AND a.action = 'member.removed' AND a.detail ->> 'userId' = given.told))
       UNION ALL SELECT given.told, named.name FROM unnest($2::text[], $3::uuid[]) AS given (told, id) CROSS JOIN LATERAL (
         SELECT k.name FROM api_keys k WHERE k.org_id = ${opaque("$1")} AND k.id = given.id
         UNION ALL SELECT c.name FROM oauth_clients c WHERE c.org_id = ${opaque("$1")} AND c.id = given.id OFFSET 0
       ) named`,
      [ctx.orgId, ids, ids.map(readAnyId)],
    ),
});
