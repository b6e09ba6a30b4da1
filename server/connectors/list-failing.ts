import { z } from "zod";
import { reading } from "@/server/core/db";
import { publicId, type Id } from "@/server/core/ids";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";
import type { RunRow } from "./run-view";

const shownAtMost = 20;

/** SQL: whether the finished run failed, or could use no row of its file. */
export const isFailing = (run: string) =>
  `(${run}.status = 'failed' OR (${run}.status = 'succeeded' AND ${run}.rows > 0 AND ${run}.rejected = ${run}.rows))`;

interface FailingRow {
  id: Id<"con">;
  name: string;
  run_id: Id<"run">;
  error: RunRow["error"];
  rejected: number;
  finished_at: Date | null;
}

/**
 * Lists at most 20 connectors whose last run failed or could use no row of its file, the newest such run first. Leaves out
 * paused connectors.
 */
export const listFailingConnectors = query({
  name: "connectors.failing.list",
  scope: "connectors:read",
  input: z.strictObject({}),
  async run(ctx) {
    const rows = await reading(ctx).sql<FailingRow>(
      `SELECT connector.id, connector.name, run.id AS run_id, run.error, run.rejected, run.finished_at
       FROM (SELECT id, name FROM connectors WHERE org_id = $1 AND deleted_at IS NULL AND status = 'active') connector
       CROSS JOIN LATERAL (
         SELECT id, status, error, rows, rejected, finished_at FROM connector_runs
         WHERE org_id = ${opaque("$1")} AND connector_id = connector.id AND status NOT IN ('queued', 'running') ORDER BY id DESC LIMIT 1
       ) run
       WHERE ${isFailing("run")} ORDER BY run.id DESC LIMIT ${shownAtMost}`,
      [ctx.orgId],
    );
    return rows.map((row) => ({
      connectorId: publicId("con", row.id),
      connectorName: row.name,
      runId: publicId("run", row.run_id),
      message: row.error?.message ?? (row.rejected > 0 ? allRejected(row.rejected) : null),
      failedAt: row.finished_at?.toISOString() ?? null,
    }));
  },
});

const allRejected = (n: number) =>
  `All rows of the file were rejected (${n}). Correct the mapping, or the export, and send the file again.`;
