import type { TxCtx } from "@/server/core/context";
import { sql } from "@/server/core/db";
import type { Id } from "@/server/core/ids";

/** A long job that one process has leased. `claim_id` is its fence. */
interface LeasedJob {
  org_id: Id<"org">;
  id: Id;
  claim_id: Id<"req">;
}

/**
 * The lease of a long job, one row of `table` whose `status` is 'running' meanwhile. Each kind of job decides in a
 * statement of its own which row is claimed next. The due rows of reactions are claimed as sets: see LeasedTable.
 */
export const jobLease = (table: "connector_runs" | "photo_imports") => ({
  /** Moves the end of the lease. Returns false if this process no longer holds it. */
  async extend({ org_id, id, claim_id }: LeasedJob, until: Date): Promise<boolean> {
    const rows = await sql(
      `UPDATE ${table} SET lease_until = $4 WHERE org_id = $1 AND id = $2 AND claim_id = $3 AND status = 'running' RETURNING 1`,
      [org_id, id, claim_id, until],
    );
    return rows.length > 0;
  },
  /** Locks the job. Returns false if this process no longer holds the lease. */
  async holds(ctx: TxCtx, { id, claim_id }: Omit<LeasedJob, "org_id">): Promise<boolean> {
    const rows = await ctx.tx.sql(
      `SELECT 1 FROM ${table} WHERE org_id = $1 AND id = $2 AND claim_id = $3 AND status = 'running' FOR UPDATE`,
      [ctx.orgId, id, claim_id],
    );
    return rows.length > 0;
  },
});
