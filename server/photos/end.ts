import { audit } from "@/server/access/audit";
import type { TxCtx } from "@/server/core/context";
import { publicId, type Id } from "@/server/core/ids";
import { importColumns, type ImportRow } from "./view";

/**
 * Ends an import whose row the caller has locked: photos that were set stay, the rest is never set. Its archive is
 * released. Leaves an audit entry, except for a completed import, because each photo has its event.
 */
export async function endImport(
  ctx: TxCtx,
  id: Id<"phi">,
  end: { status: "completed" } | { status: "cancelled" } | { status: "stopped"; reason: string },
): Promise<ImportRow> {
  const reason = end.status === "stopped" ? end.reason : null;
  const [row] = await ctx.tx.sql<ImportRow>(
    `UPDATE photo_imports SET status = $3, stop_reason = $4, finished_at = greatest($5, started_at), sha256 = NULL, claim_id = NULL, lease_until = NULL
     WHERE org_id = $1 AND id = $2 RETURNING ${importColumns}`,
    [ctx.orgId, id, end.status, reason, ctx.now],
  );
  const { processed, total } = row!;
  if (end.status !== "completed")
    await audit(
      ctx,
      `photo_import.${end.status}`,
      { type: "photo_import", id: publicId("phi", id) },
      { processed, total, ...(reason && { reason }) },
    );
  return row!;
}
