import type { TxCtx } from "@/server/core/context";

/** Removes the settings of all organisations, for when their keys can no longer be decrypted. Updates wait for new ones. */
export async function removeLostGoogleKeys({ tx }: TxCtx): Promise<void> {
  await tx.sql(`DELETE FROM google_wallet_settings`);
}
