import { z } from "zod";
import { reading } from "@/server/core/db";
import { query } from "@/server/core/operation";

/** An attribute of people that a template, a rule group or a policy reads. */
export interface ReadAttribute {
  name: string;
  readBy: "template" | "group" | "policy";
  /** The name of the template, group or policy. */
  of: string;
}

/** The most attributes that are returned, because a form lists them. */
const limit = 500;

/**
 * Lists the attributes that templates and rules read, so that a mapping can fill them under the right names. For a nested
 * path, returns its first part. Includes drafts, because cards are often designed while their feed is being set up.
 */
export const listReadAttributes = query({
  name: "connectors.attributes",
  scope: "connectors:read",
  alsoScope: "templates:read",
  input: z.strictObject({}),
  run: async (ctx): Promise<{ data: ReadAttribute[] }> => ({
    data: await reading(ctx).sql<ReadAttribute>(
      `SELECT DISTINCT split_part(read.path, '.', 2) AS name, read.by AS "readBy", read.of FROM (
         SELECT 'template' AS by, t.name AS of, path FROM template_versions v
         JOIN templates t ON t.org_id = v.org_id AND t.id = v.template_id
         CROSS JOIN LATERAL (
           SELECT unnest(v.bindings) AS path UNION ALL SELECT 'attributes.' || (v.validity ->> 'attribute') WHERE v.validity ->> 'type' = 'attribute'
         ) paths
         WHERE v.org_id = $1 AND v.status IN ('published', 'draft') AND t.status <> 'archived'
         UNION ALL
         SELECT 'group', g.name, field #>> '{}' FROM groups g CROSS JOIN LATERAL jsonb_path_query(g.rule, '$.**.field') AS field
         WHERE g.org_id = $1 AND g.rule IS NOT NULL
         UNION ALL
         SELECT 'policy', p.name, field #>> '{}' FROM policies p CROSS JOIN LATERAL jsonb_path_query(p.rule, '$.**.field') AS field
         WHERE p.org_id = $1 AND p.rule IS NOT NULL
       ) read WHERE read.path LIKE 'attributes.%' ORDER BY 1, 2, 3 LIMIT ${limit}`,
      [ctx.orgId],
    ),
  }),
});
