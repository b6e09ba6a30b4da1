import type { TxCtx } from "@/server/core/context";
import type { Connection } from "../connection";
import { isFields, type Fields } from "../protocol/values";
import { fold, userColumns, type UserRow } from "./row";
import { taken } from "./taken";

/**
 * Stores the resource of a user as the directory wrote it.
 * @throws ScimError uniqueness if another request created the user in the meantime
 */
export async function storeUser(
  ctx: TxCtx,
  connection: Connection,
  subjectId: UserRow["subject_id"],
  { userKey, resource, isNew }: { userKey: string; resource: Fields; isNew: boolean },
): Promise<UserRow> {
  const { externalId, active, emails } = resource;
  const [row] = await ctx.tx.sql<UserRow>(
    `INSERT INTO scim_users AS u (org_id, connector_id, subject_id, user_key, external_id, active, emails, resource, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
     ON CONFLICT (org_id, connector_id, subject_id) DO UPDATE SET user_key = excluded.user_key, external_id = excluded.external_id, active = excluded.active,
       emails = excluded.emails, resource = excluded.resource, version = u.version + 1, hidden_at = NULL, updated_at = excluded.updated_at
     WHERE NOT $10::boolean
     RETURNING ${userColumns}`,
    [
      ctx.orgId,
      connection.id,
      subjectId,
      userKey,
      typeof externalId === "string" ? externalId : null,
      active === true,
      (Array.isArray(emails) ? emails : []).flatMap((each) =>
        isFields(each) && typeof each["value"] === "string" ? [fold(each["value"])] : [],
      ),
      JSON.stringify(resource),
      ctx.now,
      isNew,
    ],
  );
  // Another request created them in the meantime.
  if (!row) throw taken();
  ctx.tx.wrote("scim_users", 1);
  return row;
}
