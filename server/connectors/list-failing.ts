import { z } from "zod";
import { reading } from "@/server/core/db";
import { publicId, type Id } from "@/server/core/ids";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";
import type { RunRow } from "./run-view";

const shownAtMost = 20;

interface FailingRow {
  id: Id<"con">;
  name: string;
  run_id: Id<"run">;
  error: RunRow["error"];
  finished_at: Date | null;
}

/** Lists at most 20 connectors whose last run failed, the newest failure first. Leaves out paused connectors. */
export const listFailingConnectors = query({
  name: "connectors.failing.list",
  scope: "connectors:read",
  input: z.strictObject({}),
  async run(ctx) {
    const rows = await reading(ctx).sql<FailingRow>(
      `SELECT connector.id, connector.name, run.id AS run_id, run.error, run.finished_at
       FROM (SELECT id, name FROM connectors WHERE org_id = $1 AND deleted_at IS NULL AND status = 'active') connector
       CROSS JOIN LATERAL (
         SELECT id, status, error, finished_at FROM connector_runs
         WHERE org_id = ${opaque("$1")} AND connector_id = connector.id AND status NOT IN ('queued', 'running') ORDER BY id DESC LIMIT 1
       ) run
       WHERE run.status = 'failed' ORDER BY run.id DESC LIMIT ${shownAtMost}`,
      [ctx.orgId],
    );
    return rows.map((row) => ({
      connectorId: publicId("con", row.id),
      connectorName: row.name,
      runId: publicId("run", row.run_id),
      message: row.error?.message ?? null,
      failedAt: row.finished_at?.toISOString() ?? null,
    }));
  },
});
