import { z } from "zod";
import { reading } from "@/server/core/db";
import { publicId, type Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { loadRun } from "./run-view";

export const removalSchema = z
  .object({
    subjectId: z.string(),
    externalId: z.string(),
    displayName: z.string(),
    cause: z.enum(["status", "missing", "member"]).meta({
      description:
        "status: the file marks the person as inactive. missing: the file no longer lists the person. member: the person leaves a group that a policy uses.",
    }),
    group: z
      .object({ id: z.string(), name: z.string() })
      .nullable()
      .meta({ description: "For the cause member: the group." }),
    line: z.int().nullable(),
    state: z.enum(["staged", "applied", "dropped"]).meta({
      description: "staged: waits for approval. dropped: was cancelled, or was no longer due at the approval.",
    }),
  })
  .meta({ id: "ConnectorRemoval" });

const nil = "00000000-0000-0000-0000-000000000000";

/** Ends of memberships are listed if they count against the limit, or wait together with ends that do. */
const removals = `
SELECT subject_id, NULL::uuid AS group_id, cause, line, state FROM connector_removals WHERE org_id = $1 AND run_id = $2
UNION ALL
SELECT subject_id, group_id, 'member', NULL, CASE state WHEN 'planned' THEN 'staged' ELSE state END FROM connector_member_changes
WHERE org_id = $1 AND run_id = $2 AND kind = 'remove' AND guarded`;

interface RemovalRow {
  subject_id: Id<"sub">;
  external_id: string;
  display_name: string;
  cause: "status" | "missing" | "member";
  group_id: Id<"grp"> | null;
  group_name: string | null;
  line: number | null;
  state: "staged" | "applied" | "dropped";
}

/**
 * Lists the people whom a run deactivated and those who left groups that policies use, or what will happen after an
 * approval. Requires subjects:read too.
 */
export const listConnectorRemovals = query({
  name: "connectors.runs.removals",
  scope: "connectors:read",
  alsoScope: "subjects:read",
  input: z.strictObject({ id: id("con"), run: id("run"), ...page }),
  async run(ctx, input) {
    const run = await loadRun(ctx, input.id, input.run);
    const found = await paginate(input, {
      binding: [ctx.orgId, "connector_removals", run.id],
      fetch: ({ after, take, skip }) =>
        reading(ctx).sql<RemovalRow>(
          `SELECT removal.subject_id, s.external_id, s.display_name, removal.cause, removal.line, removal.state, removal.group_id, g.name AS group_name
           FROM (
             SELECT * FROM (${removals}) each WHERE $3::uuid IS NULL OR (subject_id, coalesce(group_id, '${nil}')) > ($3, $4::uuid)
             ORDER BY subject_id, coalesce(group_id, '${nil}') LIMIT $5 OFFSET $6
           ) removal
           CROSS JOIN LATERAL (SELECT external_id, display_name FROM subjects WHERE org_id = ${opaque("$1")} AND id = removal.subject_id OFFSET 0) s
           LEFT JOIN LATERAL (SELECT name FROM groups WHERE org_id = ${opaque("$1")} AND id = removal.group_id OFFSET 0) g ON true
           ORDER BY removal.subject_id, coalesce(removal.group_id, '${nil}')`,
          [ctx.orgId, run.id, ...(after?.split(" ") ?? [null, null]), take, skip],
        ),
      count: async () =>
        (await reading(ctx).sql<{ n: number }>(`SELECT count(*) AS n FROM (${removals}) each`, [ctx.orgId, run.id]))[0]!
          .n,
      keyOf: (row) => `${row.subject_id} ${row.group_id ?? nil}`,
    });
    return {
      ...found,
      data: found.data.map((row) => ({
        subjectId: publicId("sub", row.subject_id),
        externalId: row.external_id,
        displayName: row.display_name,
        cause: row.cause,
        group: row.group_id && { id: publicId("grp", row.group_id), name: row.group_name ?? "" },
        line: row.line,
        state: row.state,
      })),
    };
  },
});
