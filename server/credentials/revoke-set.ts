import type { TxCtx } from "@/server/core/context";
import { applyClock } from "./apply-clock";
import { transition } from "./transition";
import { credentialColumns, joinSubject, type CredentialRow } from "./view";

/** Revokes all of these credentials, whatever state they are in; those revoked already keep their first reason. Emits credential.revoked for each. */
export async function revokeSet(ctx: TxCtx, ids: string[], detail: { reason: string; note?: string | undefined }): Promise<void> {
  const rows = await ctx.tx.sql<CredentialRow>(
    `SELECT ${credentialColumns} FROM unnest($2::text[]) AS given (id)
     CROSS JOIN LATERAL (SELECT * FROM credentials WHERE org_id = $1 AND id = given.id FOR UPDATE) c ${joinSubject}`,
    [ctx.orgId, [...ids].sort()],
  );
  await transition(ctx, await applyClock(ctx, rows), "revoke", detail);
}
