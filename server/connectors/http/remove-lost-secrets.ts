import type { TxCtx } from "@/server/core/context";

/**
 * Deletes the secrets of all connectors. For operators who lost the key that decrypts them. Runs fail with `unauthorized`
 * until somebody enters the secret again; no person is deactivated by that.
 */
export async function removeLostConnectorSecrets({ tx }: TxCtx): Promise<void> {
  await tx.sql(`UPDATE connectors SET secret = NULL, secret_at = NULL WHERE secret IS NOT NULL`);
}

/** Deletes the PGP keys of all connectors: encrypted files fail and change nobody until somebody sets a key again. */
export async function removeLostPgpKeys({ tx }: TxCtx): Promise<void> {
  await tx.sql(`UPDATE connectors SET pgp_key = NULL, pgp = NULL WHERE pgp_key IS NOT NULL`);
}
