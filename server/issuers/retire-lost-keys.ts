import type { TxCtx } from "@/server/core/context";

/**
 * Retires the keys of all organisations, for when they can no longer be decrypted. What they signed still verifies. The
 * next signature makes a new key.
 */
export async function retireLostKeys({ tx, now }: TxCtx): Promise<void> {
  await tx.sql(`UPDATE issuer_keys SET retired_at = $1, private_key = NULL WHERE retired_at IS NULL`, [now]);
}
