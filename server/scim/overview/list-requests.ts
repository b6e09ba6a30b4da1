import { z } from "zod";
import { reading } from "@/server/core/db";
import { publicId, type Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { loadScimConnector } from "../connection";
import type { Effect } from "../requests/effect";

interface RequestRow {
  id: Id<"req">;
  at: Date;
  method: string;
  endpoint: string;
  status: number;
  error: string | null;
  effect: Effect;
  duration_ms: number;
  subject_id: Id<"sub"> | null;
  group_id: Id<"grp"> | null;
  name: string | null;
}

/** SQL: the condition for the listed requests. */
const conditions = { all: "true", written: "NOT is_read", refused: "(status >= 400 OR effect ? 'failed')" };

/**
 * Lists the last requests of a directory with their effects, newest first. Shows the present names of people and
 * groups, so that an erasure reaches this list too. Requires subjects:read too, because it names people.
 */
export const listScimRequests = query({
  name: "connectors.directory.requests",
  scope: "connectors:read",
  alsoScope: "subjects:read",
  input: z.strictObject({ id: id("con"), only: z.enum(["all", "written", "refused"]).default("all"), ...page }),
  async run(ctx, input) {
    const connection = await loadScimConnector(ctx, input.id);
    const { sql } = reading(ctx);
    const found = await paginate(input, {
      binding: [ctx.orgId, "scim_requests", connection.id, input.only],
      fetch: ({ after, take, skip }) =>
        sql<RequestRow>(
          `SELECT request.*, s.id AS subject_id, g.id AS group_id, coalesce(s.name, g.name) AS name
           FROM (SELECT id, at, method, endpoint, resource_id, status, error, effect, duration_ms FROM scim_requests
                 WHERE org_id = $1 AND connector_id = $2 AND ${conditions[input.only]} AND ($3::uuid IS NULL OR id < $3) ORDER BY id DESC LIMIT $4 OFFSET $5) request
           LEFT JOIN LATERAL (SELECT id, coalesce(nullif(display_name, ''), external_id) AS name FROM subjects WHERE org_id = ${opaque("$1")} AND id = request.resource_id OFFSET 0) s ON true
           LEFT JOIN LATERAL (SELECT id, name FROM groups WHERE org_id = ${opaque("$1")} AND id = request.resource_id OFFSET 0) g ON true
           ORDER BY request.id DESC`,
          [ctx.orgId, connection.id, after, take, skip],
        ),
      count: async () =>
        (
          await sql<{ n: number }>(
            `SELECT count(*) AS n FROM scim_requests WHERE org_id = $1 AND connector_id = $2 AND ${conditions[input.only]}`,
            [ctx.orgId, connection.id],
          )
        )[0]!.n,
      keyOf: (row) => row.id,
    });
    return {
      ...found,
      data: found.data.map((row) => ({
        id: publicId("req", row.id),
        at: row.at.toISOString(),
        method: row.method,
        endpoint: row.endpoint,
        status: row.status,
        error: row.error,
        effect: row.effect,
        durationMs: row.duration_ms,
        subjectId: row.subject_id && publicId("sub", row.subject_id),
        groupId: row.group_id && publicId("grp", row.group_id),
        name: row.name,
      })),
    };
  },
});
