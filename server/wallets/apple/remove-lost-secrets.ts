import type { TxCtx } from "@/server/core/context";

/** Removes the settings of all organisations, for when their keys can no longer be decrypted. */
export async function removeLostWalletKeys({ tx }: TxCtx): Promise<void> {
  await tx.sql(`DELETE FROM apple_wallet_settings`);
}

/**
 * Removes the passes of all organisations, for when their tokens can no longer be decrypted. Phones keep what they have;
 * it no longer changes. Holders add their pass again.
 */
export async function removeLostPasses({ tx }: TxCtx): Promise<void> {
  await tx.sql(`DELETE FROM apple_passes`);
}
