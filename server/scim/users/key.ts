import type { FieldName } from "@/server/connectors/map-row";
import type { Known } from "@/server/connectors/run/resolve";
import type { TxCtx } from "@/server/core/context";
import { publicId } from "@/server/core/ids";
import type { UpsertInput } from "@/server/subjects/input";
import { updateSubject } from "@/server/subjects/update";
import type { Connection } from "../connection";
import type { Fields } from "../protocol/values";
import type { UserRow } from "./row";
import { taken } from "./taken";

/**
 * The key under which the connection knows a person, and the one that it has after this write. If the directory
 * stops sending an externalId, the stored one stays the key, because a userName is less stable. Also the fields that the
 * directory gave a value with its last write.
 */
export async function keyAfter(
  ctx: TxCtx,
  connection: Connection,
  before: UserRow,
  resource: Fields,
  said: string,
): Promise<{ from: string; to: string; stated: FieldName[] | null }> {
  const [source] = await ctx.tx.sql<{ key: string; stated: FieldName[] | null }>(
    `SELECT key, stated FROM subject_sources WHERE org_id = $1 AND subject_id = $2 AND type = 'scim' AND source_id = $3`,
    [ctx.orgId, before.subject_id, connection.id],
  );
  const from = source?.key ?? said;
  const isNamed = resource["externalId"] !== undefined;
  // Without an externalId the key follows the userName, where it did before.
  const followed = before.external_id === null && from === before.user_key;
  const to = isNamed || followed ? said : from;
  const isKept = to !== from && (await isOfDeletedUser(ctx, connection, before, to));
  return { from, to: isKept ? from : to, stated: source?.stated ?? null };
}

/**
 * Whether a key is that of another, deleted user. The directory may give it to somebody else, but here it still
 * identifies the deleted person. The new owner therefore keeps the old key: a refusal would also fail every later
 * request about them, even one that deactivates them.
 */
async function isOfDeletedUser(ctx: TxCtx, connection: Connection, user: UserRow, key: string): Promise<boolean> {
  const [other] = await ctx.tx.sql(
    `SELECT 1 FROM subject_sources o
     JOIN scim_users u ON u.org_id = $1 AND u.connector_id = $2 AND u.subject_id = o.subject_id AND u.hidden_at IS NOT NULL
     WHERE o.org_id = $1 AND o.source_id = $2 AND o.key = $3 AND o.subject_id <> $4`,
    [ctx.orgId, connection.id, key, user.subject_id],
  );
  return other !== undefined;
}

/**
 * Gives the person the new externalId of the directory. The person keeps the old one if it was changed here, or if
 * another live source provides the person and knows them by it; the default connection renames them even then. The new
 * one must be nobody else's either way.
 * @throws ScimError uniqueness
 */
export async function rekey(
  ctx: TxCtx,
  connection: Connection,
  known: Known,
  key: { from: string; to: string },
  input: UpsertInput,
): Promise<void> {
  const [other] = await ctx.tx.sql(`SELECT 1 FROM subjects WHERE org_id = $1 AND external_id = $2 AND id <> $3`, [
    ctx.orgId,
    key.to,
    known.id,
  ]);
  if (other) throw taken("Somebody else of this organisation has this externalId, or this userName as the externalId.");
  if (known.external_id !== key.from || (known.elsewhere && !connection.is_default)) return;
  await updateSubject(
    { ...ctx, scopes: new Set([...ctx.scopes, "subjects:write"]) },
    { id: publicId("sub", known.id), externalId: key.to },
  );
  input.externalId = key.to;
}
