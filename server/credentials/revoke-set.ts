import type { TxCtx } from "@/server/core/context";
import { settle } from "./settle";
import { transition } from "./transition";
import { credentialColumns, type CredentialRow } from "./view";

/** Revokes all of these credentials, whatever state they are in; those revoked already keep their first reason. Emits credential.revoked for each. */
export async function revokeSet(ctx: TxCtx, ids: string[], detail: { reason: string; note?: string | undefined }): Promise<void> {
  const rows = await ctx.tx.sql<CredentialRow>(
    `SELECT ${credentialColumns} FROM credentials c JOIN subjects s ON s.org_id = c.org_id AND s.id = c.subject_id
     WHERE c.org_id = $1 AND c.id = ANY($2) ORDER BY c.id FOR UPDATE OF c`,
    [ctx.orgId, ids],
  );
  const settled = await settle(ctx, rows);
  await transition(ctx, settled.filter((row) => row.state !== "revoked"), "revoke", detail);
}
