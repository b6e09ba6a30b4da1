import { z } from "zod";
import { reading } from "@/server/core/db";
import { readAnyId } from "@/server/core/ids";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";

/**
 * Returns what resources are called by id, for the rows of the audit log: groups, connectors and webhook endpoints by
 * name, credentials by the name of the person who holds them. Omits ids that are not found, and credentials if the
 * caller may not read people. Subjects, members and templates have look-ups of their own.
 */
export const thingNames = query({
  name: "things.names",
  scope: "audit:read",
  input: z.strictObject({ ids: z.array(z.string().max(64)).max(100) }),
  run: (ctx, { ids }) =>
    reading(ctx).sql<{ id: string; name: string }>(
      `SELECT given.told AS id, named.name FROM unnest($2::text[], $3::uuid[]) AS given (told, id) CROSS JOIN LATERAL (
         SELECT g.name FROM groups g WHERE g.org_id = ${opaque("$1")} AND g.id = given.id
         UNION ALL SELECT c.name FROM connectors c WHERE c.org_id = ${opaque("$1")} AND c.id = given.id
         UNION ALL SELECT coalesce(nullif(e.description, ''), e.url) FROM webhook_endpoints e WHERE e.org_id = ${opaque("$1")} AND e.id = given.id
         UNION ALL SELECT holder.name FROM credentials c CROSS JOIN LATERAL (
             SELECT CASE WHEN erased_at IS NOT NULL THEN 'Erased person' ELSE coalesce(nullif(display_name, ''), external_id) END AS name
             FROM subjects WHERE org_id = ${opaque("$1")} AND subjects.id = c.subject_id OFFSET 0
           ) holder WHERE $4 AND c.org_id = ${opaque("$1")} AND c.id = given.id
         OFFSET 0
       ) named`,
      [ctx.orgId, ids, ids.map(readAnyId), ctx.scopes.has("subjects:read") && ctx.scopes.has("credentials:read")],
    ),
});
