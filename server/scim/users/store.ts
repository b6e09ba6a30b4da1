import type { TxCtx } from "@/server/core/context";
import type { Connection } from "../connection";
import { isFields, type Fields } from "../protocol/values";
import { fold } from "@/server/connectors/directory/fold";
import { userColumns, type UserRow } from "./row";
import { taken } from "./taken";

interface Stored {
  userKey: string;
  resource: Fields;
}

/**
 * Stores the resource of a user as the directory wrote it.
 * @throws ScimError uniqueness if another request created the user in the meantime
 */
export async function storeUser(
  ctx: TxCtx,
  connection: Connection,
  subjectId: UserRow["subject_id"],
  { isNew, ...user }: Stored & { isNew: boolean },
): Promise<UserRow> {
  const [row] = await ctx.tx.sql<UserRow>(
    `INSERT INTO scim_users AS u (${written})
     VALUES ($1, $2, $9, $3, $4, $5, $6, $7, $8, $8)
     ON CONFLICT (org_id, connector_id, subject_id) DO UPDATE SET user_key = excluded.user_key, external_id = excluded.external_id, active = excluded.active,
       emails = excluded.emails, resource = excluded.resource, version = u.version + 1, hidden_at = NULL, updated_at = excluded.updated_at
     WHERE NOT $10::boolean
     RETURNING ${userColumns}`,
    [...valuesOf(ctx, connection, user), subjectId, isNew],
  );
  return stored(ctx, row);
}

/**
 * Stores a new user, by the externalId of the person, so that the statement need not wait for the id of the one who was
 * written just before.
 * @throws ScimError uniqueness if another request created the user in the meantime
 */
export async function insertUser(
  ctx: TxCtx,
  connection: Connection,
  externalId: string,
  user: Stored,
): Promise<UserRow> {
  const [row] = await ctx.tx.sql<UserRow>(
    `INSERT INTO scim_users (${written})
     SELECT $1, $2, id, $3, $4, $5, $6, $7, $8, $8 FROM subjects WHERE org_id = $1 AND external_id = $9
     ON CONFLICT (org_id, connector_id, subject_id) DO NOTHING
     RETURNING ${userColumns}`,
    [...valuesOf(ctx, connection, user), externalId],
  );
  return stored(ctx, row);
}

const written =
  "org_id, connector_id, subject_id, user_key, external_id, active, emails, resource, created_at, updated_at";

function valuesOf(ctx: TxCtx, connection: Connection, { userKey, resource }: Stored): unknown[] {
  const { externalId, active, emails } = resource;
  return [
    ctx.orgId,
    connection.id,
    userKey,
    typeof externalId === "string" ? externalId : null,
    active === true,
    (Array.isArray(emails) ? emails : []).flatMap((each) =>
      isFields(each) && typeof each["value"] === "string" ? [fold(each["value"])] : [],
    ),
    JSON.stringify(resource),
    ctx.now,
  ];
}

function stored(ctx: TxCtx, row: UserRow | undefined): UserRow {
  if (!row) throw taken();
  ctx.tx.wrote("scim_users", 1);
  return row;
}
