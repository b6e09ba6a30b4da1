import type { TxCtx } from "@/server/core/context";
import type { Connection } from "../connection";
import type { UserRow } from "./row";

/** Whether a removal of the user waits for approval. */
export async function hasStaged(ctx: TxCtx, connection: Connection, { subject_id }: UserRow): Promise<boolean> {
  const [row] = await ctx.tx.sql(
    `SELECT 1 FROM scim_removals WHERE org_id = $1 AND connector_id = $2 AND subject_id = $3 AND group_id IS NULL AND state = 'staged'`,
    [ctx.orgId, connection.id, subject_id],
  );
  return row !== undefined;
}
