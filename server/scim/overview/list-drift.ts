import { z } from "zod";
import { reading } from "@/server/core/db";
import { publicId, type Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { loadScimConnector } from "../connection";

interface DriftRow {
  id: Id<"sub"> | null;
  external_id: string;
  display_name: string;
  cause: "inactive" | "awaited" | "staged" | "removed" | "never";
}

/**
 * SQL: in the directory and not here. These are users who are active there and not here, followed by members of groups
 * whom the directory never created, who have no id.
 */
const there = `
SELECT s.id, s.external_id, s.display_name, 'inactive' AS cause
FROM (SELECT subject_id FROM scim_users WHERE org_id = ${opaque("$1")} AND connector_id = $2 AND hidden_at IS NULL AND active) u
JOIN subjects s ON s.org_id = ${opaque("$1")} AND s.id = u.subject_id AND s.status <> 'active'
UNION ALL
SELECT NULL, value, '', 'awaited' FROM scim_pending_members WHERE org_id = ${opaque("$1")} AND connector_id = $2 GROUP BY value`;

/** SQL: here and not in the directory: people who are active here, not there, and in no other connector. */
const here = `
SELECT s.id, s.external_id, s.display_name,
  CASE WHEN EXISTS (SELECT FROM scim_removals r WHERE r.org_id = ${opaque("$1")} AND r.connector_id = $2 AND r.subject_id = s.id AND r.state = 'staged') THEN 'staged'
    WHEN EXISTS (SELECT FROM scim_users u WHERE u.org_id = ${opaque("$1")} AND u.connector_id = $2 AND u.subject_id = s.id) THEN 'removed' ELSE 'never' END AS cause
FROM subjects s
WHERE s.org_id = ${opaque("$1")} AND s.status = 'active'
  AND NOT EXISTS (SELECT FROM scim_users u WHERE u.org_id = ${opaque("$1")} AND u.connector_id = $2 AND u.subject_id = s.id AND u.hidden_at IS NULL AND u.active)
  AND NOT EXISTS (
    SELECT FROM subject_sources other JOIN connectors c ON c.org_id = ${opaque("$1")} AND c.id = other.source_id AND c.deleted_at IS NULL
    WHERE other.org_id = ${opaque("$1")} AND other.subject_id = s.id AND other.source_id <> $2 AND other.missing_since IS NULL AND NOT other.inactive)`;

/** Each side with the SQL of its order. */
const sides = {
  there: { rows: there, key: "coalesce(id::text, external_id)", type: "text" },
  here: { rows: here, key: "id", type: "uuid" },
};

/**
 * Lists where a directory and the organisation differ: people whom the directory has and who are not active here, or
 * people who are active here and not in the directory. Names people, so it takes subjects:read too.
 */
export const listDrift = query({
  name: "connectors.directory.drift",
  scope: "connectors:read",
  alsoScope: "subjects:read",
  input: z.strictObject({ id: id("con"), side: z.enum(["there", "here"]), ...page }),
  async run(ctx, input) {
    const connection = await loadScimConnector(ctx, input.id);
    const { sql } = reading(ctx);
    const asked = [ctx.orgId, connection.id];
    const { rows, key, type } = sides[input.side];
    const found = await paginate(input, {
      binding: [ctx.orgId, "drift", connection.id, input.side],
      fetch: ({ after, take, skip }) =>
        sql<DriftRow>(
          `SELECT * FROM (${rows}) differing WHERE $3::${type} IS NULL OR ${key} > $3 ORDER BY ${key} LIMIT $4 OFFSET $5`,
          [...asked, after, take, skip],
        ),
      count: async () => (await sql<{ n: number }>(`SELECT count(*) AS n FROM (${rows}) differing`, asked))[0]!.n,
      keyOf: (row) => row.id ?? row.external_id,
    });
    return {
      ...found,
      data: found.data.map((row) => ({
        subjectId: row.id && publicId("sub", row.id),
        externalId: row.external_id,
        displayName: row.display_name,
        cause: row.cause,
      })),
    };
  },
});
