import type { TxCtx } from "@/server/core/context";
import { DomainError, notFound } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import type { NameRequestRow } from "./name-request-view";

/** @throws DomainError not_found, also for a request of another organisation */
export async function loadNameRequest(ctx: TxCtx, id: Id<"nrq">): Promise<NameRequestRow> {
  const [row] = await ctx.tx.sql<NameRequestRow>(
    `SELECT r.id, r.subject_id, r.name, r.note, r.state, r.reason, r.decided_at, r.created_at, s.display_name AS record_name
     FROM name_requests r JOIN subjects s ON s.org_id = r.org_id AND s.id = r.subject_id WHERE r.org_id = $1 AND r.id = $2`,
    [ctx.orgId, id],
  );
  if (!row) throw notFound("name request", publicId("nrq", id));
  return row;
}

/** Records the decision on a request. @throws DomainError already_decided if the request was decided already */
export async function decideNameRequest(
  ctx: TxCtx,
  id: Id<"nrq">,
  state: "approved" | "rejected",
  reason: string | null,
): Promise<void> {
  const [decided] = await ctx.tx.sql(
    `UPDATE name_requests SET state = $3, reason = $4, decided_by = $5, decided_at = $6 WHERE org_id = $1 AND id = $2 AND state = 'waiting' RETURNING 1`,
    [ctx.orgId, id, state, reason, ctx.actor, ctx.now],
  );
  if (!decided) throw new DomainError("already_decided", "This request was decided already. Load the list again.");
}
