import { createHmac, randomBytes } from "node:crypto";
import type { TxCtx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import type { Id } from "@/server/core/ids";
import { decrypt, encrypt } from "@/server/core/secrets";

/**
 * The refusal of a write that names an erased person. It gives no subject id: whoever sends a former external id must
 * not learn which of the nameless records was that person's.
 */
export function subjectErased(): DomainError {
  return new DomainError(
    "subject_erased",
    "This person was erased at their own request. Nothing about them can be written any more, and they cannot be added again. Take them out of your feed.",
  );
}

export interface ErasureKeyRow {
  key: Buffer;
}

/** The organisation's key for the external ids of erased people; no row before its first erasure. */
export const selectErasureKey = `SELECT key FROM erasure_keys WHERE org_id = $1`;

/** What the stored key is bound to, for encrypt and decrypt. */
export const erasureKeyBoundTo = (orgId: Id<"org">) => `erasure_key\n${orgId}`;

/**
 * What an erased person's externalId becomes: a hash that only the organisation's key gives. Whoever has the database
 * without the master secret cannot try out student numbers.
 */
export async function hashExternalId(ctx: TxCtx, externalId: string): Promise<string> {
  const made = encrypt(randomBytes(32).toString("base64url"), erasureKeyBoundTo(ctx.orgId));
  ctx.tx.send(`INSERT INTO erasure_keys (org_id, key) VALUES ($1, $2) ON CONFLICT (org_id) DO NOTHING`, [
    ctx.orgId,
    Buffer.from(made),
  ]);
  const [row] = await ctx.tx.sql<ErasureKeyRow>(selectErasureKey, [ctx.orgId]);
  return hash(ctx, row!, externalId);
}

/**
 * Forgets the keys of all organisations, which can be read no more; the next erasure makes a new one. Former external
 * ids are not recognised any more.
 */
export async function forgetErasureKeys({ tx }: TxCtx): Promise<void> {
  await tx.sql(`DELETE FROM erasure_keys`);
}

function hash({ orgId }: TxCtx, { key }: ErasureKeyRow, externalId: string): string {
  return `erased:${createHmac("sha256", decrypt(key, erasureKeyBoundTo(orgId)))
    .update(externalId)
    .digest("base64url")}`;
}

/**
 * Which of these external ids were an erased person's. To be asked after the write that it checks, with a key read
 * after that write: a write that waited for an erasure then sees what the erasure has left.
 */
export async function erasedAmong(
  ctx: TxCtx,
  key: ErasureKeyRow | undefined,
  externalIds: string[],
): Promise<Set<string>> {
  if (!key || externalIds.length === 0) return new Set();
  const byHash = new Map(externalIds.map((externalId) => [hash(ctx, key, externalId), externalId]));
  const found = await ctx.tx.sql<{ external_id: string }>(
    `SELECT subject.external_id FROM unnest($2::text[]) AS given (external_id)
     CROSS JOIN LATERAL (SELECT external_id FROM subjects s WHERE org_id = $1 AND s.external_id = given.external_id AND erased_at IS NOT NULL OFFSET 0) subject`,
    [ctx.orgId, [...byHash.keys()]],
  );
  return new Set(found.map((row) => byHash.get(row.external_id)!));
}
