import { z } from "zod";
import { reading } from "@/server/core/db";
import { publicId, type Id } from "@/server/core/ids";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";
import type { RunRow } from "./run-view";

const shownAtMost = 20;

interface FailingRow {
  id: Id<"pol">;
  name: string;
  run_id: Id<"plr">;
  error: RunRow["error"];
  finished_at: Date | null;
}

/**
 * Lists the policies whose last run failed, the newest failure first, at most 20. Leaves out paused
 * policies, and runs that ended because their policy was paused.
 */
export const listFailingPolicies = query({
  name: "policies.failing.list",
  scope: "policies:read",
  input: z.strictObject({}),
  async run(ctx) {
    const rows = await reading(ctx).sql<FailingRow>(
      `SELECT policy.id, policy.name, run.id AS run_id, run.error, run.finished_at
       FROM (SELECT id, name FROM policies WHERE org_id = $1 AND deleted_at IS NULL AND status <> 'paused') policy
       CROSS JOIN LATERAL (
         SELECT id, status, error, finished_at FROM policy_runs
         WHERE org_id = ${opaque("$1")} AND policy_id = policy.id AND status NOT IN ('running', 'waiting') ORDER BY id DESC LIMIT 1
       ) run
       WHERE run.status = 'failed' AND run.error ->> 'code' <> 'policy_paused' ORDER BY run.id DESC LIMIT ${shownAtMost}`,
      [ctx.orgId],
    );
    return rows.map((row) => ({
      policyId: publicId("pol", row.id),
      policyName: row.name,
      runId: publicId("plr", row.run_id),
      message: row.error?.message ?? null,
      failedAt: row.finished_at?.toISOString() ?? null,
    }));
  },
});
