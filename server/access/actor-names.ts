import { z } from "zod";
import { reading } from "@/server/core/db";
import { id } from "@/server/core/input";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";

/** The names of those who acted, for histories that hold their ids: people, also those who have left, API keys, OAuth clients. Ids that are not found are left out. */
export const actorNames = query({
  name: "actors.names",
  scope: "credentials:read",
  input: z.strictObject({ ids: z.array(id).max(100) }),
  run: (ctx, { ids }) =>
    reading(ctx).sql<{ id: string; name: string }>(
      `SELECT u.id, coalesce(nullif(u.name, ''), u.email) AS name
       FROM unnest($2::text[]) AS given (id) CROSS JOIN LATERAL (SELECT * FROM users WHERE users.id = given.id OFFSET 0) u WHERE (
         EXISTS (SELECT 1 FROM memberships m WHERE m.org_id = ${opaque("$1")} AND m.user_id = u.id)
         OR EXISTS (SELECT 1 FROM audit_entries a WHERE a.org_id = $1 AND a.action = 'member.removed' AND a.detail ->> 'userId' = u.id))
       UNION ALL SELECT named.* FROM unnest($2::text[]) AS given (id) CROSS JOIN LATERAL (
         SELECT k.id, k.name FROM api_keys k WHERE k.org_id = ${opaque("$1")} AND k.id = given.id
         UNION ALL SELECT c.id, c.name FROM oauth_clients c WHERE c.org_id = ${opaque("$1")} AND c.id = given.id OFFSET 0
       ) named`,
      [ctx.orgId, ids],
    ),
});
