import { dropLostLinks, endLostSignIns, removeLostAuthenticators } from "@/server/access/lose-secrets";
import { removeLostConnectorSecrets, removeLostPgpKeys } from "@/server/connectors/http/remove-lost-secrets";
import { removeLostHostKeys } from "@/server/connectors/sftp/host-keys";
import { advisoryLocks } from "@/server/core/advisory-locks";
import type { TxCtx } from "@/server/core/context";
import { fingerprintOf, masters } from "@/server/core/secrets";
import { transaction } from "@/server/core/transaction";
import { replaceLostAnswers } from "@/server/http/rest/idempotency";
import { retireLostKeys } from "@/server/issuers/retire-lost-keys";
import { forgetErasureKeys } from "@/server/subjects/erased";
import { removeLostPasses, removeLostWalletKeys } from "@/server/wallets/apple/remove-lost-secrets";
import { removeLostGoogleKeys } from "@/server/wallets/google/remove-lost-secrets";
import {
  endLostOverlaps,
  removeLostHeaders,
  replaceLostSecrets,
} from "@/server/webhooks/endpoints/replace-lost-secrets";
import { operator } from "./command";
import { countConnectionsOfOthers } from "./reencrypt";
import { sealedColumns, shortLivedColumns } from "./sealed-columns";

export interface SecretReset {
  /** `asked`: confirmation is missing, nothing was changed. */
  state: "asked" | "done" | "not_lost" | "in_use";
  /** How many values of each encrypted column can no longer be read. */
  lost: Record<string, number>;
}

/**
 * How to handle the lost values of each column, by `table.column`. A test compares this list with the encrypted
 * columns.
 */
const restarts: Record<string, (ctx: TxCtx) => Promise<void>> = {
  "webhook_endpoints.secret": replaceLostSecrets,
  "webhook_endpoints.previous_secret": endLostOverlaps,
  "webhook_endpoints.headers": removeLostHeaders,
  "idempotency_records.answer": replaceLostAnswers,
  "connectors.secret": removeLostConnectorSecrets,
  "connectors.pgp_key": removeLostPgpKeys,
  "sftp_host_keys.private_key": removeLostHostKeys,
  "erasure_keys.key": forgetErasureKeys,
  "issuer_keys.private_key": retireLostKeys,
  "apple_wallet_settings.private_key": removeLostWalletKeys,
  "apple_passes.token": removeLostPasses,
  "google_wallet_settings.private_key": removeLostGoogleKeys,
  "authenticator_apps.secret": removeLostAuthenticators,
  "challenges.sso": endLostSignIns,
  "account_mails.link": dropLostLinks,
};

/** The columns listed in `restarts`, for its test. */
export const restarted = Object.keys(restarts);

/**
 * Makes the service usable again with the configured master secret after the earlier one was lost for good: replaces or
 * removes everything that it encrypted, in one transaction. Leaves audit entries.
 *
 * @param confirmed without it, only counts what would be lost
 */
export async function resetSecret(confirmed: boolean): Promise<SecretReset> {
  const base = await operator();
  const mine = fingerprintOf(masters()[0]!.secret);
  return transaction(async (tx) => {
    await tx.sql("SELECT pg_advisory_xact_lock($1)", [advisoryLocks.masterSecret]);
    const lost: Record<string, number> = {};
    for (const { table, column } of [...sealedColumns, ...shortLivedColumns]) {
      const [row] = await tx.sql<{ n: number }>(`SELECT count(*) AS n FROM ${table} WHERE ${column} IS NOT NULL`);
      if (row!.n > 0) lost[`${table}.${column}`] = row!.n;
    }
    const noted = await tx.sql(`SELECT FROM master_secret WHERE fingerprint = $1`, [mine]);
    if (noted.length > 0) return { state: "not_lost", lost: {} };
    if (!confirmed) return { state: "asked", lost };
    // A server that still holds the lost secret in memory would keep writing with it. The operator can also read the
    // secret from such a server: see docs/operations.md.
    if ((await countConnectionsOfOthers()) > 0) return { state: "in_use", lost };
    for (const restart of Object.values(restarts)) await restart({ ...base, tx });
    await tx.sql(
      `INSERT INTO master_secret (id, fingerprint, previous, changed_at) VALUES (1, $1, NULL, $2)
       ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint, previous = NULL, changed_at = excluded.changed_at`,
      [mine, base.now],
    );
    return { state: "done", lost };
  });
}
