import { boundTo } from "@/server/access/second-factor/authenticator-code";
import { asId } from "@/server/core/ids";
import { issuerKeyBoundTo } from "@/server/issuers/signing-key";
import { connectorSecretBoundTo } from "@/server/connectors/http/secret";
import { pgpKeyBoundTo } from "@/server/connectors/pgp/key";
import { hostKeyBoundTo } from "@/server/connectors/sftp/host-keys";
import { appleKeyBoundTo, passTokenBoundTo } from "@/server/wallets/apple/sealed";
import { googleKeyBoundTo } from "@/server/wallets/google/sealed";
import { erasureKeyBoundTo } from "@/server/subjects/erased";

/** A column of values encrypted by encrypt(), and the context to which each value is bound. */
export interface SealedColumn {
  table: string;
  column: string;
  /** The primary key. */
  key: string[];
  boundTo(key: string[]): string;
}

const endpoint = (column: string, field = column): SealedColumn => ({
  table: "webhook_endpoints",
  column,
  key: ["org_id", "id"],
  boundTo: ([, id]) => `webhook_endpoint\n${id}\n${field}`,
});

/**
 * The columns of long-lived values that are encrypted with a key of the master secret: `secret reencrypt` processes
 * them. A test compares them with the schema.
 */
export const sealedColumns: SealedColumn[] = [
  endpoint("secret"),
  endpoint("previous_secret", "secret"),
  endpoint("headers"),
  {
    table: "idempotency_records",
    column: "answer",
    key: ["org_id", "key"],
    boundTo: ([orgId, key]) => `${orgId}\n${key}`,
  },
  {
    table: "connectors",
    column: "secret",
    key: ["org_id", "id"],
    boundTo: ([, id]) => connectorSecretBoundTo(asId(id!)),
  },
  {
    table: "connectors",
    column: "pgp_key",
    key: ["org_id", "id"],
    boundTo: ([, id]) => pgpKeyBoundTo(asId(id!)),
  },
  { table: "sftp_host_keys", column: "private_key", key: ["type"], boundTo: ([type]) => hostKeyBoundTo(type!) },
  { table: "erasure_keys", column: "key", key: ["org_id"], boundTo: ([orgId]) => erasureKeyBoundTo(asId(orgId)) },
  {
    table: "issuer_keys",
    column: "private_key",
    key: ["org_id", "id"],
    boundTo: ([orgId, id]) => issuerKeyBoundTo(asId(orgId), asId(id)),
  },
  {
    table: "apple_wallet_settings",
    column: "private_key",
    key: ["org_id"],
    boundTo: ([orgId]) => appleKeyBoundTo(asId(orgId)),
  },
  {
    table: "apple_passes",
    column: "token",
    key: ["org_id", "credential_id"],
    boundTo: ([orgId, credentialId]) => passTokenBoundTo(asId(orgId), asId(credentialId)),
  },
  {
    table: "google_wallet_settings",
    column: "private_key",
    key: ["org_id"],
    boundTo: ([orgId]) => googleKeyBoundTo(asId(orgId)),
  },
  { table: "authenticator_apps", column: "secret", key: ["user_id"], boundTo: ([userId]) => boundTo(asId(userId)) },
];

/**
 * Encrypted columns whose values expire within hours. They are not re-encrypted; the previous secret is kept until they
 * are gone.
 */
export const shortLivedColumns = [
  { table: "challenges", column: "sso" },
  { table: "account_mails", column: "link" },
];

/** Columns of bytes that are not encrypted. */
export const plainColumns = [
  { table: "passkeys", column: "public_key" },
  { table: "status_lanes", column: "taken" },
  { table: "status_lists", column: "bits" },
];
