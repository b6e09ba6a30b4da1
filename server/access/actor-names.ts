import { z } from "zod";
import { reading } from "@/server/core/db";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";

/** The names of those who acted, for histories that hold their ids: people, API keys, OAuth clients. Ids that are not found are left out. */
export const actorNames = query({
  name: "actors.names",
  scope: "credentials:read",
  input: z.strictObject({ ids: z.array(id).max(100) }),
  run: (ctx, { ids }) =>
    reading(ctx).sql<{ id: string; name: string }>(
      `SELECT u.id, coalesce(nullif(u.name, ''), u.email) AS name FROM users u JOIN memberships m ON m.user_id = u.id AND m.org_id = $1 WHERE u.id = ANY($2::text[])
       UNION ALL SELECT id, name FROM api_keys WHERE org_id = $1 AND id = ANY($2::text[])
       UNION ALL SELECT id, name FROM oauth_clients WHERE org_id = $1 AND id = ANY($2::text[])`,
      [ctx.orgId, ids],
    ),
});
