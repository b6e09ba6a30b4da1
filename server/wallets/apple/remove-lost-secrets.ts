import type { TxCtx } from "@/server/core/context";

/** Deletes the settings of all organisations. For operators who lost the key that decrypts them. */
export async function removeLostWalletKeys({ tx }: TxCtx): Promise<void> {
  await tx.sql(`DELETE FROM apple_wallet_settings`);
}

/**
 * Deletes the passes of all organisations. For operators who lost the key that decrypts their tokens. Phones keep their
 * passes, which are no longer updated, until holders add them again.
 */
export async function removeLostPasses({ tx }: TxCtx): Promise<void> {
  await tx.sql(`DELETE FROM apple_passes`);
}
