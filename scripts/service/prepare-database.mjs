import { migrate } from "../migrations/migrate.mjs";
import { masterSecrets, refuseOtherSecret, secretsToBeginWith } from "./secret.mjs";

/**
 * Migrates the database and returns the master secrets for it. A start that is refused for its secret changes nothing,
 * so that the earlier version still starts after a wrong database was restored or configured.
 *
 * @param {string} dataDirectory
 * @param {{ url: string, ownerUrl: string }} database
 * @param {Parameters<typeof migrate>[1] & { check?: Parameters<typeof refuseOtherSecret>[2], settle?: Parameters<typeof
 * masterSecrets>[2] }} [options]
 * @throws Failure for another secret than that of the database, before anything is migrated
 */
export async function prepareDatabase(dataDirectory, { url, ownerUrl }, { check, settle, ...options } = {}) {
  await refuseOtherSecret(dataDirectory, ownerUrl, check);
  const migrated = await migrate(ownerUrl, options);
  return { ...migrated, secrets: await masterSecrets(dataDirectory, url, settle) };
}

/** Does the same for `secret reset`, which is run because the secret has changed. */
export async function prepareReset(dataDirectory, { ownerUrl }, { confirmed }) {
  const migrated = await migrate(ownerUrl);
  return { ...migrated, secrets: secretsToBeginWith(dataDirectory, { keep: confirmed }) };
}
