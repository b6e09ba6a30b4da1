import type { TxCtx } from "@/server/core/context";
import { erasedAmong, erasedHash, subjectErased, type ErasureKeyRow } from "@/server/subjects/erased";
import { fold } from "@/server/connectors/directory/fold";
import type { Fields } from "../protocol/values";

/**
 * Refuses to create a user for a person who was erased, also if the directory leaves out the externalId or writes the
 * userName in another case. A userName with another externalId than before belongs to another person.
 * @param key of the organisation; undefined if it erased nobody
 * @throws DomainError subject_erased
 */
export async function requireNotErased(
  ctx: TxCtx,
  key: ErasureKeyRow | undefined,
  { userName, externalId }: Fields,
): Promise<void> {
  if (!key || typeof userName !== "string") return;
  const isNameOnly = typeof externalId !== "string";
  if (isNameOnly && (await erasedAmong(ctx, key, [userName, fold(userName)])).size > 0) throw subjectErased();
  const [erased] = await ctx.tx.sql(
    `SELECT 1 FROM scim_users WHERE org_id = $1 AND user_key = $2 AND hidden_at IS NOT NULL AND (external_id IS NULL OR $3::boolean) LIMIT 1`,
    [ctx.orgId, erasedHash(ctx, key, fold(userName)), isNameOnly],
  );
  if (erased) throw subjectErased();
}
