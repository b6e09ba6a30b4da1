import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";

/**
 * Blanks what the person asked for at the holder's home, removes the addresses that they added, and ends the sessions
 * of each of their addresses.
 */
export async function blankHolder(ctx: TxCtx, subjectId: Id<"sub">, email: string | null): Promise<void> {
  const removed = await ctx.tx.sql<{ email: string }>(
    `DELETE FROM holder_addresses WHERE org_id = $1 AND subject_id = $2 RETURNING email`,
    [ctx.orgId, subjectId],
  );
  const addresses = [...removed.map((row) => row.email), ...(email === null ? [] : [email.toLowerCase()])];
  ctx.tx.send(`DELETE FROM holder_sessions WHERE email = ANY($1)`, [addresses]);
  ctx.tx.send(`DELETE FROM address_proofs WHERE email = ANY($1) OR from_email = ANY($1)`, [addresses]);
  ctx.tx.send(
    `DELETE FROM account_mails WHERE email = ANY($1) AND kind IN ('claim_code', 'claim_decided', 'home_link', 'home_address')`,
    [addresses],
  );
  await ctx.tx.sql(
    `UPDATE name_requests SET name = '', note = '', reason = NULL, decided_by = CASE WHEN state = 'waiting' THEN $3::jsonb ELSE decided_by END,
       decided_at = CASE WHEN state = 'waiting' THEN $4 ELSE decided_at END, state = CASE WHEN state = 'waiting' THEN 'rejected' ELSE state END
     WHERE org_id = $1 AND subject_id = $2`,
    [ctx.orgId, subjectId, ctx.actor, ctx.now],
  );
}
