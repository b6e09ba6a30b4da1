import { z } from "zod";
import { reading } from "@/server/core/db";
import { readAnyId } from "@/server/core/ids";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";
import type { Scope } from "@/server/core/scopes";

/**
 * Returns the names of resources by id, for the rows of the audit log and of events: of groups, connectors and webhook
 * endpoints, and for credentials the name of the holder. Omits ids that are not found, and those of resources that the
 * caller may not read. Subjects, members and templates have look-ups of their own.
 */
export const thingNames = query({
  name: "things.names",
  scope: "events:read",
  input: z.strictObject({ ids: z.array(z.string().max(64)).max(100) }),
  run: (ctx, { ids }) => {
    const may = (...scopes: Scope[]) => scopes.every((scope) => ctx.scopes.has(scope));
    return reading(ctx).sql<{ id: string; name: string }>(
      `SELECT given.told AS id, named.name FROM unnest($2::text[], $3::uuid[]) AS given (told, id) CROSS JOIN LATERAL (
         SELECT g.name FROM groups g WHERE $5 AND g.org_id = ${opaque("$1")} AND g.id = given.id
         UNION ALL SELECT c.name FROM connectors c WHERE $6 AND c.org_id = ${opaque("$1")} AND c.id = given.id
         UNION ALL SELECT coalesce(nullif(e.description, ''), e.url) FROM webhook_endpoints e WHERE $7 AND e.org_id = ${opaque("$1")} AND e.id = given.id
         UNION ALL SELECT holder.name FROM credentials c CROSS JOIN LATERAL (
             SELECT CASE WHEN erased_at IS NOT NULL THEN 'Erased person' ELSE coalesce(nullif(display_name, ''), external_id) END AS name
             FROM subjects WHERE org_id = ${opaque("$1")} AND subjects.id = c.subject_id OFFSET 0
           ) holder WHERE $4 AND c.org_id = ${opaque("$1")} AND c.id = given.id
         OFFSET 0
       ) named`,
      [
        ctx.orgId,
        ids,
        ids.map(readAnyId),
        may("subjects:read", "credentials:read"),
        may("groups:read"),
        may("connectors:read"),
        // Callers without the scope see the addresses of endpoints without parts that may be secret.
        may("webhooks:write"),
      ],
    );
  },
});
