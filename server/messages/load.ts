import type { Ctx, TxCtx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { notFound } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import { joinMessage, messageColumns, type MessageRow } from "./view";

/**
 * Locks the credential or the name confirmation of a message before the message, as the sender and an erasure do, to avoid deadlocks.
 * @throws DomainError not_found
 */
export async function loadMessageForChange(ctx: TxCtx, id: Id<"msg">): Promise<MessageRow> {
  ctx.tx.send(
    `SELECT FROM credentials WHERE org_id = $1 AND id = (SELECT credential_id FROM messages WHERE org_id = $1 AND id = $2) FOR UPDATE`,
    [ctx.orgId, id],
  );
  ctx.tx.send(
    `SELECT FROM name_confirmations WHERE org_id = $1 AND id = (SELECT confirmation_id FROM messages WHERE org_id = $1 AND id = $2) FOR UPDATE`,
    [ctx.orgId, id],
  );
  ctx.tx.send(`SELECT FROM messages WHERE org_id = $1 AND id = $2 FOR UPDATE`, [ctx.orgId, id]);
  return loadMessage(ctx, id);
}

/** @throws DomainError not_found */
export async function loadMessage(ctx: Ctx, id: Id<"msg">): Promise<MessageRow> {
  const [row] = await reading(ctx).sql<MessageRow>(
    `SELECT ${messageColumns} FROM messages m ${joinMessage} WHERE m.org_id = $1 AND m.id = $2`,
    [ctx.orgId, id],
  );
  if (!row) throw notFound("message", publicId("msg", id));
  return row;
}
