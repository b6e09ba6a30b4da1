import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { applyClock } from "./apply-clock";
import { transition } from "./transition";
import { credentialColumns, joinSubject, type CredentialRow } from "./view";

/**
 * Revokes all of these credentials, whatever state they are in; those revoked already keep their first reason. Emits
 * credential.revoked for each.
 * @returns the ids of those that were not revoked before.
 */
export async function revokeSet(
  ctx: TxCtx,
  ids: Id<"crd">[],
  detail: { reason: string; note?: string | undefined },
): Promise<Set<Id<"crd">>> {
  const rows = await ctx.tx.sql<CredentialRow>(
    `SELECT ${credentialColumns} FROM unnest($2::uuid[]) AS given (id)
     CROSS JOIN LATERAL (SELECT * FROM credentials WHERE org_id = $1 AND id = given.id FOR UPDATE) c ${joinSubject}`,
    [ctx.orgId, [...ids].sort()],
  );
  const before = await applyClock(ctx, rows);
  await transition(ctx, before, "revoke", detail);
  return new Set(before.filter((row) => row.state !== "revoked").map((row) => row.id));
}
