import type { Ctx, TxCtx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { DomainError, notFound } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import { confirmationColumns, joinConfirmation, type ConfirmationRow } from "@/server/credentials/confirmation";

/** @throws DomainError not_found, also for a request of another organisation */
export async function loadConfirmation(ctx: Ctx, id: Id<"ncf">): Promise<ConfirmationRow> {
  const [row] = await reading(ctx).sql<ConfirmationRow>(
    `SELECT ${confirmationColumns} FROM name_confirmations n ${joinConfirmation} WHERE n.org_id = $1 AND n.id = $2`,
    [ctx.orgId, id],
  );
  if (!row) throw notFound("name confirmation", publicId("ncf", id));
  return row;
}

/**
 * Locks the person, then the request, in the same order as an erasure, to avoid deadlocks. The name cannot change
 * meanwhile.
 *
 * @throws DomainError not_found
 */
export async function loadForDecision(ctx: TxCtx, id: Id<"ncf">): Promise<ConfirmationRow> {
  ctx.tx.send(
    `SELECT FROM subjects WHERE org_id = $1 AND id = (SELECT subject_id FROM name_confirmations WHERE org_id = $1 AND id = $2) FOR SHARE`,
    [ctx.orgId, id],
  );
  ctx.tx.send(`SELECT FROM name_confirmations WHERE org_id = $1 AND id = $2 FOR UPDATE`, [ctx.orgId, id]);
  return loadConfirmation(ctx, id);
}

/** @throws DomainError already_decided if the request was decided already */
export function requireWaiting({ state }: ConfirmationRow): void {
  if (state !== "waiting")
    throw new DomainError("already_decided", `This request was ${state} already. Load the list again.`);
}
