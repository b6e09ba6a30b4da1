import type { TxCtx } from "@/server/core/context";
import { opaque } from "@/server/core/opaque";
import type { Connection } from "../connection";

/**
 * SQL: whether staged removal `r` (a row of scim_removals) can still happen. A membership that ended meanwhile cannot
 * be removed, and one that began after the directory's request is not affected by it. An inactive person cannot be
 * deactivated; a deletion still removes them from the directory.
 *
 * @param org its organisation
 */
export const isDue = (r: string, org = opaque("$1")) => `CASE ${r}.cause
  WHEN 'member' THEN EXISTS (
    SELECT FROM (SELECT added_at FROM group_members WHERE org_id = ${org} AND group_id = ${r}.group_id AND subject_id = ${r}.subject_id OFFSET 0) member
    WHERE member.added_at <= ${r}.staged_at)
  WHEN 'status' THEN EXISTS (
    SELECT FROM (SELECT status FROM subjects WHERE org_id = ${org} AND id = ${r}.subject_id OFFSET 0) person WHERE person.status = 'active')
  ELSE true END`;

/**
 * Drops the staged removals that can no longer happen. No decision and no list counts them. Skips rows that another
 * request has locked, because that request decides on them.
 */
export async function dropNotDue(ctx: TxCtx, connection: Connection): Promise<void> {
  await ctx.tx.sql(
    `UPDATE scim_removals SET state = 'dropped' WHERE org_id = $1 AND id = ANY(ARRAY(
       SELECT id FROM scim_removals r WHERE org_id = $1 AND connector_id = $2 AND state = 'staged' AND NOT (${isDue("r")}) FOR UPDATE SKIP LOCKED))`,
    [ctx.orgId, connection.id],
  );
}
