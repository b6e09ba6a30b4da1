import { z } from "zod";
import { reading } from "@/server/core/db";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";

/** The names of those who acted, for histories that hold their ids: people, also those who have left, API keys, OAuth clients. Ids that are not found are left out. */
export const actorNames = query({
  name: "actors.names",
  scope: "credentials:read",
  input: z.strictObject({ ids: z.array(id).max(100) }),
  run: (ctx, { ids }) =>
    reading(ctx).sql<{ id: string; name: string }>(
      `SELECT u.id, coalesce(nullif(u.name, ''), u.email) AS name FROM users u WHERE u.id = ANY($2::text[]) AND (
         EXISTS (SELECT 1 FROM memberships m WHERE m.org_id = $1 AND m.user_id = u.id)
         OR EXISTS (SELECT 1 FROM audit_entries a WHERE a.org_id = $1 AND a.action = 'member.removed' AND a.detail ->> 'userId' = u.id))
       UNION ALL SELECT id, name FROM api_keys WHERE org_id = $1 AND id = ANY($2::text[])
       UNION ALL SELECT id, name FROM oauth_clients WHERE org_id = $1 AND id = ANY($2::text[])`,
      [ctx.orgId, ids],
    ),
});
