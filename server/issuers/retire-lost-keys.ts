import type { TxCtx } from "@/server/core/context";

/**
 * Retires the keys of all organisations when they can no longer be decrypted. Their signatures can still be verified.
 * The next signature creates a new key.
 */
export async function retireLostKeys({ tx, now }: TxCtx): Promise<void> {
  await tx.sql(`UPDATE issuer_keys SET retired_at = $1, private_key = NULL WHERE retired_at IS NULL`, [now]);
}
