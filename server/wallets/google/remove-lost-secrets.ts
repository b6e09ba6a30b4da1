import type { TxCtx } from "@/server/core/context";

/** Deletes the settings of all organisations. For operators who lost the key that decrypts them. Updates wait for new settings. */
export async function removeLostGoogleKeys({ tx }: TxCtx): Promise<void> {
  await tx.sql(`DELETE FROM google_wallet_settings`);
}
