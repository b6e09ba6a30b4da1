import { boundTo } from "@/server/access/second-factor/authenticator-code";
import { asId } from "@/server/core/ids";
import { erasureKeyBoundTo } from "@/server/subjects/erased";

/** A column that holds what encrypt() made, with what each value is bound to. */
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
 * All that is encrypted with a key of the master secret and kept: `secret reencrypt` walks these. A test compares them
 * with the schema.
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
  { table: "erasure_keys", column: "key", key: ["org_id"], boundTo: ([orgId]) => erasureKeyBoundTo(asId(orgId)) },
  { table: "authenticator_apps", column: "secret", key: ["user_id"], boundTo: ([userId]) => boundTo(asId(userId)) },
];

/** Encrypted too, and gone within hours: not re-encrypted, the previous secret stays until they are gone. */
export const shortLivedColumns = [
  { table: "challenges", column: "sso" },
  { table: "account_mails", column: "link" },
];

/** Columns of bytes that are not encrypted. */
export const plainColumns = [{ table: "passkeys", column: "public_key" }];
