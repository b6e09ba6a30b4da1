import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";

/** A user of a SCIM connection. */
export interface DirectoryUser {
  connectorId: Id<"con">;
  subjectId: Id<"sub">;
}

/**
 * Shows users of directories to these as active again, because a person decided against their removal. A deleted user stays
 * hidden if another user has the userName by now; of several deleted users with one userName, the one who was deleted last is
 * shown. Call it with the people locked. Sent without waiting.
 */
export function showAgain(ctx: TxCtx, users: readonly DirectoryUser[]): void {
  if (users.length === 0) return;
  const which = [ctx.orgId, users.map((user) => user.connectorId), users.map((user) => user.subjectId)];
  ctx.tx.send(
    `WITH own AS MATERIALIZED (
       SELECT found.tid, found.hidden_at IS NULL
         OR row_number() OVER (PARTITION BY found.connector_id, found.user_key ORDER BY found.hidden_at DESC NULLS FIRST, found.subject_id) = 1
           AND NOT EXISTS (SELECT FROM scim_users other WHERE other.org_id = $1 AND other.connector_id = found.connector_id AND other.user_key = found.user_key AND other.hidden_at IS NULL) AS shown
       FROM unnest($2::uuid[], $3::uuid[]) AS given (connector_id, subject_id)
       CROSS JOIN LATERAL (
         SELECT ctid AS tid, connector_id, subject_id, user_key, hidden_at FROM scim_users WHERE org_id = $1 AND connector_id = given.connector_id AND subject_id = given.subject_id OFFSET 0
       ) found
     )
     UPDATE scim_users u SET active = true, resource = u.resource || '{"active": true}', version = u.version + 1, updated_at = $4,
       hidden_at = CASE WHEN NOT own.shown THEN u.hidden_at END
     FROM own WHERE u.ctid = own.tid`,
    [...which, ctx.now],
  );
  ctx.tx.send(
    `UPDATE subject_sources o SET inactive = false FROM unnest($2::uuid[], $3::uuid[]) AS given (connector_id, subject_id)
     CROSS JOIN LATERAL (
       SELECT ctid AS tid FROM subject_sources WHERE org_id = $1 AND subject_id = given.subject_id AND type = 'scim' AND source_id = given.connector_id OFFSET 0
     ) own WHERE o.ctid = own.tid`,
    which,
  );
}
