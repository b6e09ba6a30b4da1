import type { TxCtx } from "@/server/core/context";

/**
 * Removes the secrets of all connectors, for when they can no longer be decrypted. Their runs fail with `unauthorized`
 * until somebody enters the secret again; nobody is deactivated by that.
 */
export async function removeLostConnectorSecrets({ tx }: TxCtx): Promise<void> {
  await tx.sql(`UPDATE connectors SET secret = NULL, secret_at = NULL WHERE secret IS NOT NULL`);
}
