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
    cause: z.enum(["status", "missing"]).meta({
      description: "status: the file marks the person as inactive. missing: the file no longer lists the person.",
    }),
    line: z.int().nullable(),
    state: z.enum(["staged", "applied", "dropped"]).meta({
      description: "staged: waits for approval. dropped: was cancelled, or was no longer due at the approval.",
    }),
  })
  .meta({ id: "ConnectorRemoval" });

interface RemovalRow {
  subject_id: Id<"sub">;
  external_id: string;
  display_name: string;
  cause: "status" | "missing";
  line: number | null;
  state: "staged" | "applied" | "dropped";
}

/** Lists the people that a run deactivated, or will deactivate after approval. Requires subjects:read too. */
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
          `SELECT removal.subject_id, s.external_id, s.display_name, removal.cause, removal.line, removal.state
           FROM (SELECT subject_id, cause, line, state FROM connector_removals
                 WHERE org_id = $1 AND run_id = $2 AND ($3::uuid IS NULL OR subject_id > $3) ORDER BY subject_id LIMIT $4 OFFSET $5) removal
           CROSS JOIN LATERAL (SELECT external_id, display_name FROM subjects WHERE org_id = ${opaque("$1")} AND id = removal.subject_id OFFSET 0) s
           ORDER BY removal.subject_id`,
          [ctx.orgId, run.id, after, take, skip],
        ),
      count: async () =>
        (
          await reading(ctx).sql<{ n: number }>(
            `SELECT count(*) AS n FROM connector_removals WHERE org_id = $1 AND run_id = $2`,
            [ctx.orgId, run.id],
          )
        )[0]!.n,
      keyOf: (row) => row.subject_id,
    });
    return {
      ...found,
      data: found.data.map((row) => ({
        subjectId: publicId("sub", row.subject_id),
        externalId: row.external_id,
        displayName: row.display_name,
        cause: row.cause,
        line: row.line,
        state: row.state,
      })),
    };
  },
});
