import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { hashExternalId } from "@/server/subjects/erased";

/**
 * Blanks the users of directories that are about the person. Their identifiers become keyed hashes, so that a directory
 * that sends the person again, by userName or by externalId, is refused. Removals that wait for approval are dropped.
 */
export async function blankUsers(ctx: TxCtx, subjectId: Id<"sub">): Promise<void> {
  const users = await ctx.tx.sql<{ connector_id: Id<"con">; user_key: string; external_id: string | null }>(
    `SELECT connector_id, user_key, external_id FROM scim_users WHERE org_id = $1 AND subject_id = $2`,
    [ctx.orgId, subjectId],
  );
  for (const { connector_id, user_key, external_id } of users)
    await ctx.tx.sql(
      `UPDATE scim_users SET user_key = $4, external_id = $5, active = false, emails = '{}', resource = '{}', hidden_at = coalesce(hidden_at, $6)
       WHERE org_id = $1 AND connector_id = $2 AND subject_id = $3`,
      [
        ctx.orgId,
        connector_id,
        subjectId,
        await hashExternalId(ctx, user_key),
        external_id === null ? null : await hashExternalId(ctx, external_id),
        ctx.now,
      ],
    );
  ctx.tx.send(`UPDATE scim_removals SET state = 'dropped' WHERE org_id = $1 AND subject_id = $2 AND state = 'staged'`, [
    ctx.orgId,
    subjectId,
  ]);
}
