import { createHmac, randomBytes } from "node:crypto";
import type { TxCtx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import type { Id } from "@/server/core/ids";
import { decrypt, encrypt } from "@/server/core/secrets";

/**
 * The refusal of a write that names an erased person. It contains no subject id: a caller who sends a former external
 * id must not learn which of the nameless records belonged to that person.
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

/**
 * Selects the organisation's key for hashing the external ids of erased people. It has no row before the first erasure.
 */
export const selectErasureKey = `SELECT key FROM erasure_keys WHERE org_id = $1`;

/** The context to which the stored key's encryption is bound, for encrypt and decrypt. */
export const erasureKeyBoundTo = (orgId: Id<"org">) => `erasure_key\n${orgId}`;

/**
 * Hashes the externalId of an erased person with the organisation's key. A copy of the database is not enough to try
 * out student numbers: the key is encrypted with the master secret.
 */
export async function hashExternalId(ctx: TxCtx, externalId: string): Promise<string> {
  const made = encrypt(randomBytes(32).toString("base64url"), erasureKeyBoundTo(ctx.orgId));
  ctx.tx.send(`INSERT INTO erasure_keys (org_id, key) VALUES ($1, $2) ON CONFLICT (org_id) DO NOTHING`, [
    ctx.orgId,
    Buffer.from(made),
  ]);
  const [row] = await ctx.tx.sql<ErasureKeyRow>(selectErasureKey, [ctx.orgId]);
  return erasedHash(ctx, row!, externalId);
}

/**
 * Deletes the keys of all organisations, for when they can no longer be decrypted. The next erasure makes a new key.
 * External ids of people erased before are no longer recognised.
 */
export async function forgetErasureKeys({ tx }: TxCtx): Promise<void> {
  await tx.sql(`DELETE FROM erasure_keys`);
}

/** What stands in place of a name of an erased person: an externalId, or the userName of a directory. */
export function erasedHash({ orgId }: TxCtx, { key }: ErasureKeyRow, externalId: string): string {
  return `erased:${createHmac("sha256", decrypt(key, erasureKeyBoundTo(orgId)))
    .update(externalId)
    .digest("base64url")}`;
}

/**
 * Returns which of these external ids belonged to an erased person. Call it after the write that it checks, with a key
 * read after that write: if the write waited for an erasure, this check then sees the result of the erasure.
 */
export async function erasedAmong(
  ctx: TxCtx,
  key: ErasureKeyRow | undefined,
  externalIds: string[],
): Promise<Set<string>> {
  if (!key || externalIds.length === 0) return new Set();
  const byHash = new Map(externalIds.map((externalId) => [erasedHash(ctx, key, externalId), externalId]));
  const found = await ctx.tx.sql<{ external_id: string }>(
    `SELECT subject.external_id FROM unnest($2::text[]) AS given (external_id)
     CROSS JOIN LATERAL (SELECT external_id FROM subjects s WHERE org_id = $1 AND s.external_id = given.external_id AND erased_at IS NOT NULL OFFSET 0) subject`,
    [ctx.orgId, [...byHash.keys()]],
  );
  return new Set(found.map((row) => byHash.get(row.external_id)!));
}
